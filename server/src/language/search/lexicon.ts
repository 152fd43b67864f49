import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { name, or, sql } from '../../kernel/sql.ts'
import { editDistance } from './edit-distance.ts'
import type { Neighbours } from './search-query.ts'
import { wordsOf } from './tokenizer.ts'

// The words that a tenant uses. Those of items are stored with the items; those of other texts after their first use, which is
// rare: the process caches the words it has seen, in a table of fixed size where a new word replaces an older one.

const slots = 1 << 18
const seen = { low: new Int32Array(slots), high: new Int32Array(slots) }
const [shortest, longest] = [3, 40]
/** The limit for one text, so that a long one costs little. */
const maxCharacters = 20_000

/** Adds the words of written texts to the lexicon after the transaction has committed. */
export function noteWords(ctx: Context, texts: readonly string[]): void {
  const fresh = new Map<string, Trace>()
  for (const text of texts) unseenWords(ctx.caller.tenantId, text, fresh)
  if (fresh.size === 0) return
  const words = [...new Set([...fresh.keys()].flatMap(wordsOf))].filter(
    word => word.length >= shortest && word.length <= longest && /[^0-9]/.test(word),
  )
  ctx.afterCommit(async () => {
    try {
      if (words.length > 0) await ctx.apart(inner => storeWords(inner, words))
      for (const { slot, low, high } of fresh.values()) [seen.low[slot], seen.high[slot]] = [low, high]
    } catch {
      // The request itself has succeeded. The words are not cached, so their next use stores them.
    }
  })
}

async function storeWords(ctx: Context, words: string[]): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into search_word (tenant_id, word) select ${tenantId}::uuid, n.word from unnest(${words}::text[]) n(word)
    where not exists (select 1 from search_word w where w.tenant_id = ${tenantId} and w.word = n.word) returning 1`
}

/** Removes words that no longer occur in any of the searched tables. */
export async function forgetWords(ctx: Context, texts: readonly string[], searched: readonly string[]): Promise<void> {
  const { tenantId } = ctx.caller
  const used = searched.map(
    table => sql`exists (select 1 from ${name(`${table}_ids`)}(plainto_tsquery('pg_catalog.simple', w.word), 1))`,
  )
  await ctx.sql`delete from search_word w where w.tenant_id = ${tenantId} and w.word = any(${texts.flatMap(wordsOf)}::text[]) and not (${or(used)})`
}

interface Trace {
  slot: number
  low: number
  high: number
}

/** Hashes each word in place, without splitting the text, because nearly all words have been seen. */
function unseenWords(tenantId: Id, text: string, fresh: Map<string, Trace>): void {
  const end = Math.min(text.length, maxCharacters)
  const [a, b] = seedOf(tenantId)
  let [low, high, begin] = [a, b, -1]
  for (let i = 0; i <= end; i++) {
    const code = i < end ? lowered(text.charCodeAt(i)) : 0
    if (code > 0) {
      if (begin < 0) begin = i
      low = Math.imul(low ^ code, 0x01000193)
      high = Math.imul(high ^ code, 0x5bd1e995)
    } else if (begin >= 0) {
      const slot = (low ^ (low >>> 15)) & (slots - 1)
      if (i - begin >= shortest && (seen.low[slot] !== low || seen.high[slot] !== high))
        fresh.set(text.slice(begin, i), { slot, low, high })
      ;[low, high, begin] = [a, b, -1]
    }
  }
}

/** The character in lower case; 0 for a separator. All letters beyond ASCII count as letters here. */
function lowered(code: number): number {
  if (code >= 97 && code <= 122) return code
  if (code >= 65 && code <= 90) return code + 32
  return (code >= 48 && code <= 57) || code > 191 ? code : 0
}

const seeds = new Map<Id, readonly [number, number]>()

function seedOf(tenantId: Id): readonly [number, number] {
  const known = seeds.get(tenantId)
  if (known) return known
  let [low, high] = [0x811c9dc5 | 0, 0x9747b28c | 0]
  for (let i = 0; i < tenantId.length; i++) {
    low = Math.imul(low ^ tenantId.charCodeAt(i), 0x01000193)
    high = Math.imul(high ^ tenantId.charCodeAt(i), 0x5bd1e995)
  }
  if (seeds.size >= 1000) seeds.clear()
  seeds.set(tenantId, [low, high])
  return [low, high]
}

/** Returns the words that the tenant has never used; an unfinished word may be the prefix of another. */
export async function unknownWords(
  ctx: Context,
  words: readonly string[],
  open: ReadonlySet<string>,
): Promise<string[]> {
  if (words.length === 0) return []
  const begun = words.map(word => (open.has(word) ? `${word}\u{10ffff}` : word))
  const rows = await ctx.sql<{ word: string }>`
    select w.word from unnest(${words}::text[], ${begun}::text[]) w(word, last)
    where not exists (select 1 from search_word s where s.tenant_id = ${ctx.caller.tenantId} and s.word >= w.word collate "C" and s.word <= w.last collate "C")`
  return rows.map(row => row.word)
}

/** Returns the most similar words of the tenant for each word: by trigram similarity and edit distance. */
export async function neighbours(ctx: Context, words: readonly string[]): Promise<Neighbours> {
  if (words.length === 0) return new Map()
  const rows = await ctx.sql<{ word: string; near: string; alike: number }>`
    select s.word, s.near, s.alike from similar_words(${words}::text[], 20) s`
  const near = new Map<string, string[]>()
  for (const [word, group] of Map.groupBy(rows, row => row.word)) {
    const good = group
      .map(each => ({ ...each, slips: editDistance(word, each.near) }))
      .filter(({ slips, alike }) => slips <= 1 || (alike >= 0.45 && slips <= (word.length < 8 ? 2 : 3)))
      .sort((a, b) => a.slips - b.slips || b.alike - a.alike)
    if (good.length > 0)
      near.set(
        word,
        good.slice(0, 5).map(each => each.near),
      )
  }
  return near
}
