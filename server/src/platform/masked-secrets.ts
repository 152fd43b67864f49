import type { Context } from '../kernel/context.ts'
import type { Changes } from '../kernel/events.ts'
import type { Id } from '../kernel/id.ts'
import { fault, Invalid } from '../kernel/refusal.ts'
import { recordOf } from '../records/references/keys-of.ts'
import { dropSecrets, mask, storeSecret } from './secrets.ts'

// Properties that are written and never shown: the record holds a mask, and the value is sealed in a row of its own.

/** The result of reading such properties from a request. */
interface MaskedProperties<Name extends string> {
  /** The values that the record holds. */
  shown: Record<Name, string>
  /** The new secret values. */
  fresh: Map<Name, string>
  /** The properties whose stored value stays. */
  staying: Name[]
  /** A new value with the same mask does not change the record, yet its history must mention it. */
  changes: Changes
}

/** A mask that is sent back stands for the stored value. An absent property stays; null and an empty text clear it. */
export function readMasked<Name extends string>(
  names: readonly Name[],
  values: { readonly [N in Name]?: string | null },
  before?: { readonly [N in Name]: string },
): MaskedProperties<Name> {
  const shown = recordOf(names, name => before?.[name] ?? '')
  const read: MaskedProperties<Name> = { shown, fresh: new Map(), staying: [], changes: {} }
  const lacking = names.filter(name => values[name] === mask && shown[name] === '')
  if (lacking.length > 0)
    throw new Invalid(
      lacking.map(name => fault([name], 'no-value', 'no value is stored yet, so that a mask cannot stand for it')),
    )
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

/** Seals the new values and deletes those that are no longer used. */
export async function storeMasked<Name extends string>(
  ctx: Context,
  recordId: Id,
  { fresh, staying }: MaskedProperties<Name>,
): Promise<void> {
  for (const [name, value] of fresh) await storeSecret(ctx, recordId, name, value)
  await dropSecrets(ctx, recordId, [...fresh.keys(), ...staying])
}
