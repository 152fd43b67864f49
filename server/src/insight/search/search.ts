import { hash } from 'node:crypto'
import { items } from '../../items/item/item.ts'
import { type Matching, matching } from '../../items/text-match.ts'
import { type Caller, maySomewhere } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import { type Input, operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { type Sql, sql } from '../../kernel/sql.ts'
import { hitMatcher, snippet, typedWords } from '../../language/search/search.ts'
import { wordsOf } from '../../language/search/tokenizer.ts'
import { hitsOf, redactedBody, type SearchPosition } from './hits.ts'
import { isShort, itemStartHits, itemStarts } from './item-starts.ts'
import { nameHits } from './name-hits.ts'
import { type NamedKind, namedKinds } from './named-kinds.ts'
import { readableKinds, type SearchedKind, type SearchHit, searchedKinds } from './searched-kinds.ts'

const kindNames = [...new Set([...Object.keys(searchedKinds), ...Object.keys(namedKinds)])]
const entities = [
  ...new Set(
    [...Object.values(searchedKinds), ...Object.values(namedKinds).map(each => each.kind)].map(each => each.entity),
  ),
]

const hitSchema: Schema = {
  type: 'object',
  title: 'Hit',
  properties: {
    kind: { type: 'string', enum: kindNames, description: 'The name of the kind in the query.' },
    entity: { type: 'string', enum: entities },
    id: { type: 'string', format: 'uuid' },
    key: {
      type: 'string',
      description: 'The key of the item or container, of the annotation’s item, or the code of the customer.',
    },
    title: { type: 'string' },
    itemId: { type: 'string', format: 'uuid', description: 'The item of an annotation.' },
    container: {
      type: 'object',
      nullable: true,
      properties: { id: { type: 'string' }, key: { type: 'string' }, name: { type: 'string' } },
      required: ['id', 'key', 'name'],
    },
    snippet: { type: 'string', description: 'HTML: escaped text, with `<mark>` around what was found.' },
    rank: { type: 'number' },
    updated: { type: 'string', format: 'date-time' },
  },
  required: ['kind', 'entity', 'id', 'title', 'container', 'snippet', 'rank', 'updated'],
}

interface SearchRequest {
  q: string
  /** The kinds that are searched by their words, and those by their names. */
  kinds: { texts: [string, SearchedKind][]; names: [string, NamedKind][] }
  containers: Id[]
  archived: boolean
  limit: number
  place: SearchPosition
  fingerprint: string
}

/** Searches all kinds of records, best match first. */
const search = operation({
  permission: items.permissions.read,
  placed: true,
  mode: 'read',
  summary: 'Search everything',
  description:
    'What the caller may see and what is called as typed or contains the words, best match first: an exact key, the beginning of a key, of a name or title, of a word in it, from one letter on; then the texts of items, annotations, documents and files (text, Markdown, CSV, HTML, JSON, XML and Word): a word in a title counts more than one in a text, and a recent change more than an old one. All words must occur; `or` separates alternatives, `-` excludes a word, quotes enclose a phrase; the last word may be a prefix. A key such as `DESK-12` finds its item. A word that occurs nowhere is replaced by similar ones; `Did-You-Mean` then contains the corrected query, percent-encoded.',
  query: {
    q: { type: 'string', maxLength: 400, description: 'The search words.' },
    kind: {
      type: 'string',
      description: `These kinds, separated by commas: \`${kindNames.join(',')}\`; \`item,annotation,document,file\` by default.`,
    },
    container: { type: 'string', description: 'Only in these containers, by their ids.' },
    archived: { type: 'string', enum: ['include'], description: 'Includes archived records.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'The maximum number of hits; the default is 20.' },
    cursor: { type: 'string', description: 'The cursor of the previous page, from `X-Next-Cursor` or `Link`.' },
  },
  reply: {
    status: 200,
    schema: { type: 'array', items: hitSchema },
    description: 'The hits.',
    headers: ['Did-You-Mean'],
  },
  async run(ctx, input) {
    const asked = readQuery(ctx, input)
    if (asked.q.trim() === '') return { text: '[]', headers: { 'x-limit': String(asked.limit) } }
    const starts = await searchBeginnings(ctx, asked)
    let meant = await matching(ctx, asked.q)
    let found = inOrder([...starts.hits, ...(await searchTexts(ctx, asked, meant, starts.itemIds))])
    // Every word is known, but no record contains all of them: one of the words may be mistyped.
    if (found.length === 0 && !asked.place.after && typedWords(meant.question).length > 0) {
      meant = await matching(ctx, asked.q, true)
      found = inOrder(await searchTexts(ctx, asked, meant, []))
    }
    return answer(asked, meant, found, input)
  },
})

type FoundHit = SearchHit & { kind: string; entity: string }

const inOrder = (found: readonly FoundHit[]) => found.toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))

/** What is called as typed, by its key or its name. The words of a text are not searched for the items among it. */
async function searchBeginnings(ctx: Context, asked: SearchRequest): Promise<{ hits: FoundHit[]; itemIds: Id[] }> {
  const query = { ...asked, limit: asked.limit + 1 }
  const named = await Promise.all(
    asked.kinds.names.map(async ([kind, each]) =>
      (await nameHits(ctx, each, query)).map(hit => ({ ...hit, kind, entity: each.kind.entity })),
    ),
  )
  const hits: FoundHit[] = named.flat()
  if (!asked.kinds.texts.some(([kind]) => kind === 'item')) return { hits, itemIds: [] }
  const starts = await itemStarts(ctx, asked.q)
  const called = await itemStartHits(ctx, starts, query)
  const seen = redactedBody(ctx, called)
  hits.push(...seen.map(hit => ({ ...hit, kind: 'item', entity: 'Item' })))
  return { hits, itemIds: [...starts.keyed, ...starts.titled] }
}

async function searchTexts(
  ctx: Context,
  asked: SearchRequest,
  meant: Matching,
  except: readonly Id[],
): Promise<FoundHit[]> {
  if (meant.question.length === 0 || isShort(asked.q)) return []
  const { containers, archived, place, limit } = asked
  const found = await Promise.all(
    asked.kinds.texts.map(async ([name, kind]) => {
      const named = kind.entity === 'Item' ? byKey(ctx, asked.q) : undefined
      const best = await hitsOf(ctx, kind, meant, { containers, archived, named, place, limit: limit + 1, except })
      return best.map(hit => ({ entity: kind.entity, kind: name, ...hit }))
    }),
  )
  return found.flat()
}

/** The condition for the item (`t`) that has, or had, exactly this key. */
function byKey(ctx: Context, q: string): Sql | undefined {
  const key = q.trim().toUpperCase()
  if (!/^[A-Z][A-Z0-9]{0,9}-\d{1,15}$/.test(key)) return undefined
  const { tenantId } = ctx.caller
  return sql`t.id = any(array(select i.id from item i where i.tenant_id = ${tenantId} and i.key = ${key}
    union all select k.item_id from item_key k where k.tenant_id = ${tenantId} and k.key = ${key}))`
}

function answer(asked: SearchRequest, meant: Matching, found: readonly FoundHit[], input: Input): Reply {
  const page = found.slice(0, asked.limit)
  const isHit = hitMatcher(meant.question, meant.near)
  const shown = page.map(({ kind, entity, id, key, title, body, itemId, container, updated, score }) => {
    const inBody = snippet(body ?? '', isHit)
    return {
      kind,
      entity,
      id,
      ...(key ? { key } : {}),
      title,
      ...(itemId ? { itemId } : {}),
      container,
      snippet: inBody.includes('<mark>') || entity === 'Annotation' ? inBody : snippet(title, isHit),
      rank: Number(score.toFixed(6)),
      updated,
    }
  })
  const headers: Record<string, string> = { 'x-limit': String(asked.limit) }
  const last = page.at(-1)
  if (found.length > asked.limit && last) {
    const cursor = Buffer.from(JSON.stringify([asked.fingerprint, asked.place.at, last.score, last.id])).toString(
      'base64url',
    )
    headers['x-next-cursor'] = cursor
    const query = Object.entries(input.query).map(([name, value]): [string, string] => [name, String(value)])
    const next = new URLSearchParams(query)
    next.set('cursor', cursor)
    headers.link = `<${input.path}?${next}>; rel="next"`
  }
  const better = page[0] && correctedQuery(asked.q, meant, page[0])
  if (better) headers['did-you-mean'] = encodeURIComponent(better)
  return { body: shown, headers }
}

/**
 * The query with the words of the best hit. Only words of that hit are revealed, because not every user may know all
 * words of the tenant.
 */
function correctedQuery(q: string, { near }: Matching, { title, body }: SearchHit): string | undefined {
  const there = new Set(wordsOf(`${title} ${body ?? ''}`))
  let better = q
  for (const [word, others] of near) {
    const other = there.has(word) ? undefined : others.find(each => there.has(each))
    if (!other) continue
    better = better.replace(/[^\s"]+/g, each => (wordsOf(each).join(' ') === word ? other : each))
  }
  return better === q ? undefined : better
}

function readQuery(ctx: Context, { query }: Input): SearchRequest {
  const faults: Fault[] = []
  const text = (name: string) => (query[name] === undefined ? '' : String(query[name]))
  const names = (name: string) =>
    text(name)
      .split(',')
      .map(each => each.trim())
      .filter(Boolean)
  const kinds = names('kind').map(each => each.toLowerCase())
  for (const each of kinds)
    if (!kindNames.includes(each))
      faults.push(fault(['kind'], 'enum', `must be some of ${kindNames.join(', ')}`, text('kind')))
  const q = text('q')
  if (q.length > 400) faults.push(fault(['q'], 'maxLength', 'must have at most 400 characters'))
  const limit = readWhole('limit', query.limit, 1, 100, faults) ?? 20
  // An id that cannot exist matches no container, so that the result is empty.
  const containers = names('container').map(each =>
    isId(each) ? each.toLowerCase() : '00000000-0000-0000-0000-000000000000',
  )
  const archived = text('archived').toLowerCase() === 'include'
  const print = hash('sha1', JSON.stringify([q, kinds, containers, archived]), 'base64url').slice(0, 12)
  const place = query.cursor === undefined ? { at: ctx.now } : readPlace(ctx, text('cursor'), print, faults)
  if (faults.length > 0) throw new Invalid(faults, 'the query is not valid')
  return { q, kinds: kindsFor(ctx.caller, q, kinds), containers, archived, limit, place, fingerprint: print }
}

/** The kinds that the caller may read. A short word is not searched in texts, so documents are found by their names then. */
function kindsFor(caller: Caller, q: string, wanted: readonly string[]): SearchRequest['kinds'] {
  // Quotes, exclusions and alternatives are about words in texts.
  const isPlain = !/"|(^|\s)-|\sor\s/i.test(q)
  const names = Object.entries(namedKinds).filter(
    ([name, { kind }]) =>
      isPlain &&
      (wanted.includes(name) || (wanted.length === 0 && name in searchedKinds)) &&
      (name in searchedKinds ? isShort(q) : true) &&
      maySomewhere(caller, kind.permissions.read),
  )
  return { texts: readableKinds(caller, wanted), names }
}

/** The maximum time between two pages. */
const longest = 7 * 86_400_000

/** The ranking depends on the age of records, so that a cursor contains the time of the first page. */
function readPlace(ctx: Context, text: string, print: string, faults: Fault[]): SearchPosition {
  try {
    const [of, at, score, id]: unknown[] = JSON.parse(Buffer.from(text, 'base64url').toString())
    const moment = new Date(String(at))
    if (
      of === print &&
      Math.abs(moment.getTime() - ctx.now.getTime()) < longest &&
      typeof score === 'number' &&
      typeof id === 'string' &&
      isId(id)
    )
      return { at: moment, after: { score, id } }
    faults.push(fault(['cursor'], 'cursor-mismatch', 'belongs to another search'))
  } catch {
    faults.push(fault(['cursor'], 'cursor', 'is not a valid cursor'))
  }
  return { at: new Date(0) }
}

export const routes: Routes = { 'GET /search': search }
