import type { Context } from '../../kernel/context.ts'
import { isId } from '../../kernel/id.ts'

/** Letters, digits, `-` and `_`, so that a key is usable after `field.` in a condition and as a column header. */
export function isKey(key: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,59}$/.test(key) && !isId(key)
}

/** `Effort (days)` → `effort-days`, with a number appended if the key is taken. */
export async function keyFor(ctx: Context, name: string): Promise<string> {
  const base = slug(name)
  const rows = await ctx.sql<{ key: string }>`select lower(key) as key from field
    where tenant_id = ${ctx.caller.tenantId} and starts_with(lower(key), ${base}) and not deleted`
  const taken = new Set(rows.map(row => row.key))
  for (let n = 1; ; n++) {
    const key = n === 1 ? base : `${base}-${n}`
    if (!taken.has(key)) return key
  }
}

function slug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return isKey(plain) ? plain : 'field'
}
