import { resumeGroup } from '../../engine/dispatch/dispatch.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { Expect } from '../../kernel/record/record.ts'
import { Invalid } from '../../kernel/refusal.ts'
import { withConditionIds } from '../../language/conditions/condition-ids.ts'
import { mask, storeSecret } from '../../platform/secrets.ts'
import { type ReadEndpoints, readEndpoints, storeHeaderValues } from '../endpoint.ts'
import { newSecret } from '../signature.ts'
import { type Hook, type HookValues, hookState, hooks } from './hook.ts'
import { groupOf } from './hook-listener.ts'
import { endpointOf, formerName, givenSecret, secretName } from './hook-secrets.ts'

/** Creates a hook. Without a given secret one is generated, which is in this result only. */
export async function createHook(ctx: Context, values: Partial<HookValues>): Promise<Hook> {
  const given = givenSecret(values)
  const secret = given ?? newSecret()
  const read = refuseFaults(readHeaders(ctx, values, undefined))
  const hook = await hooks.create(ctx, {
    ...withNumberedConditions(values),
    secret: mask,
    headers: read.masked[0]?.httpHeader ?? [],
    ...ownedBy(ctx),
  })
  await storeHeaderValues(ctx, hook.id, { ...read, kept: [...read.kept, secretName] })
  await storeSecret(ctx, hook.id, secretName, secret)
  return given ? hook : { ...hook, secret }
}

export async function changeHook(
  ctx: Context,
  id: Id,
  values: Partial<HookValues>,
  more: { expect?: Expect },
): Promise<Hook> {
  const before = await hooks.get(ctx, id, { lock: true })
  const secret = givenSecret(values)
  const read = refuseFaults(readHeaders(ctx, values, before))
  const cleared = values.secret === null || values.secret === ''
  const shown = secret ? mask : cleared ? '' : before.secret
  const patch = { ...withNumberedConditions(values), secret: shown, headers: read.masked[0]?.httpHeader ?? [] }
  // A user who changes the address or the selection of a hook becomes its owner, so that it sends only what they may see.
  // Its failures are reset.
  const redirected = ['url', 'events', 'container', 'conditionGroup', 'headers', 'active', 'format'].some(
    property => property in values,
  )
  const secretChange =
    secret || read.fresh.size > 0 ? { columns: {}, changes: { secret: { from: mask, to: mask } } } : undefined
  const hook = await hooks.update(
    ctx,
    id,
    { ...patch, ...(redirected ? { ...ownedBy(ctx), ...recovered } : {}) },
    { ...more, ...(secretChange ? { own: secretChange } : {}) },
  )
  await storeHeaderValues(ctx, hook.id, { ...read, kept: [...read.kept, ...(cleared ? [] : [secretName, formerName])] })
  if (secret) await storeSecret(ctx, hook.id, secretName, secret)
  if (redirected) await resumeGroup(ctx, groupOf(hook.id))
  return hook
}

/** The owner of a hook, and the scopes of the credential by which they own it: it sends what both may see. */
function ownedBy({ caller: { userId, scopes } }: Context): Pick<HookValues, 'ownerUser' | 'scopes'> {
  return { ownerUser: userId, scopes: [...scopes] }
}

/** The state of a hook without failures. */
const recovered = { state: hookState.well, failures: 0, failingSince: null, retryAt: null, disabledAt: null }

/** Reads the address and the headers as those of one endpoint of a rule. */
function readHeaders(ctx: Context, values: Partial<HookValues>, before: Hook | undefined): ReadEndpoints {
  const { url = before?.url, headers = before?.headers } = values
  const wanted = endpointOf({ url: url ?? '', headers: headers ?? [] })
  return readEndpoints(ctx, [wanted], before ? [endpointOf(before)] : [])
}

/** Throws the faults under the names that the properties have in a hook. */
function refuseFaults(read: ReadEndpoints): ReadEndpoints {
  if (read.faults.length === 0) return read
  throw new Invalid(
    read.faults.map(each => ({
      ...each,
      Field: each.Field.replace(/^actionEndpoint\.0\./, '').replace(/^httpHeader/, 'headers'),
      Pointer: each.Pointer.replace(/^\/actionEndpoint\/0/, '').replace(/^\/httpHeader/, '/headers'),
    })),
  )
}

function withNumberedConditions(values: Partial<HookValues>): Partial<HookValues> {
  const { conditionGroup } = values
  return { ...values, ...(conditionGroup && { conditionGroup: withConditionIds(conditionGroup) }) }
}
