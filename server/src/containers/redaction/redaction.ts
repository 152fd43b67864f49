import { limitsOnItems } from '../../identity/field-limit/field-limit.ts'
import {
  hiddenAnywhere,
  hiddenInProcesses,
  hiddenUnder,
  hides,
  hidesAnyField,
  hidesSomewhere,
} from '../../identity/field-limit/hidden-fields.ts'
import type { Caller } from '../../kernel/access.ts'
import type { Context, Redaction } from '../../kernel/context.ts'
import { withChangesShown } from '../../records/amounts.ts'
import { keptParts } from './configuration-parts.ts'
import { type Hidden, isObject, itemIdsIn, strip, usesHidden } from './strip.ts'

export { fieldsRevealedBy } from './revealed-fields.ts'

// Fields of items can be hidden from users. They are removed here, at the one boundary that every response and every event
// passes, so that no operation can forget it. Callers without hidden fields, which is nearly everybody, cost nothing.

export const redaction: Redaction = {
  hidesAnything: hidesAnyField,
  hides,
  hidesSomewhere,
  redact: async (ctx, value) => await shownTo(ctx, value),
  redactText: async (ctx, json) =>
    hidesAnyField(ctx.caller) ? JSON.stringify(await shownTo(ctx, JSON.parse(json))) : json,
  keep: keptParts,
}

/** Returns the value without what is hidden from the caller; records inside of it are recognized by `entity`. */
export async function shownTo<T>(ctx: Context, value: T): Promise<T> {
  const shown = isEvent(value) ? withChangesShown(ctx.caller, value) : value
  return hidesAnyField(ctx.caller) ? (strip(shown, await hiddenByItem(ctx, shown)) as T) : shown
}

function isEvent(value: unknown): value is { entity: string; changes: unknown } {
  return isObject(value) && typeof value.entity === 'string' && 'changes' in value
}

/** What is hidden of each item in a value. An item that is not stored may be of any process. */
async function hiddenByItem(ctx: Context, value: unknown): Promise<Hidden> {
  const all = hiddenAnywhere(ctx.caller)
  const limits = await limitsOnItems(ctx, itemIdsIn(value))
  const hidden = new Map([...limits].map(([id, binding]) => [id, hiddenUnder(ctx.caller.authority, binding)]))
  return { of: id => hidden.get(String(id)) ?? all, parts: hiddenInProcesses(ctx.caller) }
}

/** An error of a rule or a macro may quote a value, so it is shown only to those who see all fields that it uses. */
export function errorShownTo(caller: Caller, configuration: unknown, error: string): string {
  return hidesAnyField(caller) && usesHidden(configuration, hiddenAnywhere(caller)) ? '' : error
}
