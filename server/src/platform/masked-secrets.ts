import type { Context } from '../kernel/context.ts'
import type { Changes } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { dropSecrets, mask, storeSecret } from './secrets.ts'

// Properties that are written and never shown: a mask stands in the record, and the value is sealed beside it.

/** What a write says of such properties. */
export interface MaskedProperties<Name extends string> {
  /** What stands in the record. */
  shown: Record<Name, string>
  /** The values given now. */
  fresh: Map<Name, string>
  /** Those whose value stays as it is kept. */
  staying: Name[]
  /** A new value behind the same mask is no change of the record, and yet one that its history must tell of. */
  changes: Changes
}

/** A mask that comes back stands for the value that is kept; what is absent stays, and nothing clears. */
export function readMasked<Name extends string>(
  names: readonly Name[],
  values: { readonly [N in Name]?: string | null },
  before?: { readonly [N in Name]: string },
): MaskedProperties<Name> {
  const shown = Object.fromEntries(names.map(name => [name, before?.[name] ?? ''])) as Record<Name, string>
  const read: MaskedProperties<Name> = { shown, fresh: new Map(), staying: [], changes: {} }
  const lacking = names.filter(name => values[name] === mask && shown[name] === '')
  if (lacking.length > 0)
    throw new Invalid(lacking.map(name => fault([name], 'no-value', 'no value is kept for this yet')))
  for (const name of names) {
    const given = values[name]
    const kept = shown[name] !== ''
    if (given === undefined || given === mask) {
      if (kept) read.staying.push(name)
    } else if (given) {
      read.fresh.set(name, given)
      shown[name] = mask
      if (kept) read.changes[name] = { from: mask, to: mask }
    } else shown[name] = ''
  }
  return read
}

/** Seals what is new beside the record, and drops what nobody keeps any more. */
export async function storeMasked<Name extends string>(
  ctx: Context,
  recordId: Id,
  { fresh, staying }: MaskedProperties<Name>,
): Promise<void> {
  for (const [name, value] of fresh) await storeSecret(ctx, recordId, name, value)
  await dropSecrets(ctx, recordId, [...fresh.keys(), ...staying])
}
