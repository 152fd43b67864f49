import { isDeepStrictEqual } from 'node:util'
import { hiddenInProcesses, hidesAnyField } from '../../identity/field-limit/hidden-fields.ts'
import type { Caller } from '../../kernel/access.ts'
import { Forbidden } from '../../kernel/refusal.ts'
import { mask } from '../../platform/secrets.ts'
import { fieldsRevealedBy } from './revealed-fields.ts'
import { configured, type HiddenNames, isObject, namesHidden } from './strip.ts'

/**
 * Prepares values of a configuration for storing. Conditions and actions on hidden fields keep the stored values where their
 * mask comes back. They cannot be added or changed: what a condition on a field selects tells the values of the field.
 */
export function keptParts<T>(caller: Caller, values: T, before: unknown): T {
  if (!hidesAnyField(caller)) return values
  const hidden = hiddenInProcesses(caller)
  const stored: object[] = []
  collect(before, hidden, stored)
  return withStored(values, stored, hidden) as T
}

/** Collects the conditions and actions on hidden fields. */
function collect(value: unknown, hidden: HiddenNames, into: object[]): void {
  if (value === null || typeof value !== 'object') return
  if (isPart(value) && namesHidden(value, hidden)) into.push(value)
  for (const each of Object.values(value)) collect(each, hidden, into)
}

function isPart(value: unknown): value is Record<string, unknown> {
  return isObject(value) && configured.some(each => each in value)
}

function withStored(value: unknown, stored: readonly object[], hidden: HiddenNames): unknown {
  if (Array.isArray(value)) return value.map(each => withStored(each, stored, hidden))
  if (!isObject(value)) return value
  if (!isPart(value) || !namesHidden(value, hidden))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withStored(each, stored, hidden)]))
  const kept = stored.find(each => isUnchanged(value, each))
  if (!kept) {
    const [field] = fieldsRevealedBy(String(value.field ?? value.leftSide))
    throw new Forbidden(`this needs the permission field.${field}.read`)
  }
  return kept
}

function isUnchanged(value: Record<string, unknown>, stored: object): boolean {
  const own = (key: string) => [mask, Reflect.get(stored, key)].some(each => isDeepStrictEqual(each, value[key]))
  return isDeepStrictEqual(masked(value), masked(stored)) && configured.every(own)
}

const masked = (part: object) =>
  Object.fromEntries(
    Object.entries(part).map(([key, each]) => [key, configured.some(one => one === key) ? mask : each]),
  )
