import { Type } from 'typebox'
import { unnamedCall } from '../../containers/action/action.ts'
import { conditionFindings } from '../../items/condition-findings.ts'
import { admins } from '../../kernel/access.ts'
import { isKnownCode } from '../../kernel/code-table.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { type Expect, type Finding, resource, type Stored, type Values } from '../../kernel/resource.ts'
import { Code, Codes, Count, Instant, Name, Ref, Refs, Text, Texts } from '../../kernel/values.ts'
import { numbered } from '../../language/conditions/condition-ids.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { keepSecret, mask, readSecret, Unopenable } from '../../platform/secrets.ts'
import { headerValues, keepValues, type ReadEndpoints, readEndpoints } from '../endpoint.ts'
import { formats } from '../envelope.ts'
import { isSecret, newSecret } from '../signature.ts'
import { triggerEvents } from '../trigger-event.ts'

const shape = {
  name: Name(200),
  url: Text(2048),
  events: Codes(100),
  container: Refs('Container'),
  conditionGroup: ConditionGroups,
  secret: Text(200, { writeOnly: true }),
  headers: Texts(50, 8192),
  format: Code(),
  active: Type.Boolean({ default: true }),
  includePrevious: Type.Boolean(),
  ownerUser: Ref('User'),
  state: Code({ description: '0 well · 1 failing · 2 disabled' }),
  failures: Count(),
  failingSince: Instant,
  retryAt: Instant,
  disabledAt: Instant,
}

export type Hook = Stored<typeof shape>
type HookValues = Values<typeof shape>

export const hookState = { well: 0, failing: 1, disabled: 2 } as const

/** A foreign address that is told what happens. */
export const hooks = resource('Hook', {
  about:
    'A foreign address that is told what happens, signed as Standard Webhooks says. It is told what `ownerUser`, who last said where it goes, may see. `secret` and the values of `headers` are written and never shown: `***` sent back keeps them; who gives no secret asks for one by `rotate-secret`.',
  shape,
  serverSet: ['ownerUser', 'state', 'failures', 'failingSince', 'retryAt', 'disabledAt'],
  may: { read: admins },
  findings: hookFindings,
  remembered: true,
  example: { name: 'Build server', url: 'https://build.example.com/gantry', events: [1, 8], format: 0 },
})

async function hookFindings(hook: Hook, ctx: Context): Promise<Finding[]> {
  const found = await conditionFindings(ctx, hook.conditionGroup, hook.container)
  if (hook.url === '') found.push({ path: '/url', code: 'no-url', message: 'has no address to call' })
  if (!Object.values<number>(formats).includes(hook.format))
    found.push({ path: '/format', code: 'unknown-code', message: `${hook.format} is no format known here` })
  for (const [i, code] of hook.events.entries())
    if (!isKnownCode(triggerEvents, code))
      found.push({ path: `/events/${i}`, code: 'unknown-code', message: `${code} is no event known here` })
  if (hook.secret === '')
    found.push({ path: '/secret', code: 'no-secret', message: 'calls are not signed; rotate-secret makes a secret' })
  if (hook.disabledAt)
    found.push({ path: '/state', code: 'disabled', message: 'was switched off after its address failed for too long' })
  else if (hook.state === hookState.failing)
    found.push({ path: '/state', code: 'failing', message: `its address has failed ${hook.failures} times in a row` })
  return found
}

/** Who gives no secret has one made; `rotate-secret` shows one. */
export async function createHook(ctx: Context, values: Partial<HookValues>): Promise<Hook> {
  const secret = secretOf(values) ?? newSecret()
  const read = readable(readHeaders(ctx, values, undefined))
  const hook = await hooks.create(ctx, {
    ...tidied(values),
    secret: mask,
    headers: read.masked[0]?.httpHeader ?? [],
    ownerUser: ctx.caller.userId,
  })
  await keepValues(ctx, hook.id, { ...read, kept: [...read.kept, secretName] })
  await keepSecret(ctx, hook.id, secretName, secret)
  return hook
}

export async function changeHook(
  ctx: Context,
  id: Id,
  values: Partial<HookValues>,
  more: { expect?: Expect },
): Promise<Hook> {
  const before = await hooks.get(ctx, id, { lock: true })
  const secret = secretOf(values)
  const read = readable(readHeaders(ctx, values, before))
  const cleared = values.secret === null || values.secret === ''
  const shown = secret ? mask : cleared ? '' : before.secret
  const wish = { ...tidied(values), secret: shown, headers: read.masked[0]?.httpHeader ?? [] }
  // Whoever says anew where it goes or what it tells has it tell no more than they see themselves; and it begins anew.
  const steers = ['url', 'events', 'container', 'conditionGroup', 'headers', 'active', 'format'].some(
    property => property in values,
  )
  const own = secret || read.fresh.size > 0 ? { columns: {}, changes: { secret: { from: mask, to: mask } } } : undefined
  const hook = await hooks.update(
    ctx,
    id,
    { ...wish, ...(steers ? { ownerUser: ctx.caller.userId, ...recovered } : {}) },
    { ...more, ...(own ? { own } : {}) },
  )
  await keepValues(ctx, hook.id, { ...read, kept: [...read.kept, ...(cleared ? [] : [secretName, formerName])] })
  if (secret) await keepSecret(ctx, hook.id, secretName, secret)
  return hook
}

const recovered = { state: hookState.well, failures: 0, failingSince: null, retryAt: null, disabledAt: null }

/** For a day both secrets sign, so that a receiver can change over without missing anything. */
const bothSign = 24 * 3600 * 1000
const secretName = 'secret'
const formerName = 'formerSecret'

export async function rotateSecret(ctx: Context, id: Id): Promise<{ secret: string; formerUntil: string }> {
  const hook = await hooks.get(ctx, id, { lock: true })
  const until = new Date(ctx.now.getTime() + bothSign).toISOString()
  const former = await opened(ctx, hook.id, secretName)
  const secret = newSecret()
  if (former) await keepSecret(ctx, hook.id, formerName, JSON.stringify({ secret: former, until }))
  await keepSecret(ctx, hook.id, secretName, secret)
  await hooks.update(
    ctx,
    hook.id,
    { secret: mask },
    { own: { columns: {}, changes: { secret: { from: mask, to: mask } } } },
  )
  return { secret, formerUntil: until }
}

/** What a call needs that nobody is shown. */
export async function callingMeans(
  ctx: Context,
  hook: Hook,
): Promise<{ secrets: string[]; headers: Record<string, string> }> {
  const secret = await opened(ctx, hook.id, secretName)
  const former = await opened(ctx, hook.id, formerName)
  const kept: { secret: string; until: string } | undefined = former ? JSON.parse(former) : undefined
  const also = kept && Date.parse(kept.until) > ctx.now.getTime() ? [kept.secret] : []
  return {
    secrets: [...(secret ? [secret] : []), ...also],
    headers: await headerValues(ctx, hook.id, endpointOf(hook)),
  }
}

/** One that no longer opens is as good as none: the receiver will say so. */
async function opened(ctx: Context, hookId: Id, name: string): Promise<string | undefined> {
  try {
    return await readSecret(ctx, hookId, name)
  } catch (error) {
    if (error instanceof Unopenable) return undefined
    throw error
  }
}

/** The hooks of the tenant that are to be told something; most tenants have none, and pay nothing. */
export async function liveHooks(ctx: Context): Promise<Hook[]> {
  const known = await remembered(ctx, 'hooks', async () => {
    const rows = await ctx.sql<{ id: Id }>`select id from hook
      where tenant_id = ${ctx.caller.tenantId} and not deleted and active and disabled_at is null and url <> ''`
    const live: Hook[] = []
    for (const { id } of rows) live.push(await hooks.get(ctx, id))
    return live
  })
  return known ?? []
}

function secretOf({ secret }: Partial<HookValues>): string | undefined {
  if (!secret || secret === mask) return undefined
  if (!isSecret(secret))
    throw new Invalid([fault(['secret'], 'secret', 'must be whsec_ and 24 to 64 bytes as base64, or left out')])
  return secret
}

/** The address and its headers are read as those of a rule's endpoint. */
function readHeaders(ctx: Context, values: Partial<HookValues>, before: Hook | undefined): ReadEndpoints {
  const { url = before?.url, headers = before?.headers } = values
  const wanted = endpointOf({ url: url ?? '', headers: headers ?? [] })
  return readEndpoints(ctx, [wanted], before ? [endpointOf(before)] : [])
}

const endpointOf = ({ url, headers }: Pick<Hook, 'url' | 'headers'>) => ({
  actionType: unnamedCall,
  url,
  httpHeader: headers,
  to: '',
  text: '',
  id: 'hook',
  active: true,
})

function readable(read: ReadEndpoints): ReadEndpoints {
  if (read.faults.length === 0) return read
  throw new Invalid(
    read.faults.map(each => ({
      ...each,
      Field: each.Field.replace(/^actionEndpoint\.0\./, '').replace(/^httpHeader/, 'headers'),
      Pointer: each.Pointer.replace(/^\/actionEndpoint\/0/, '').replace(/^\/httpHeader/, '/headers'),
    })),
  )
}

function tidied(values: Partial<HookValues>): Partial<HookValues> {
  const { conditionGroup } = values
  return { ...values, ...(conditionGroup && { conditionGroup: numbered(conditionGroup) }) }
}
