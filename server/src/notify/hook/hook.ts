import { Type } from 'typebox'
import { conditionFindings } from '../../items/condition-findings/condition-findings.ts'
import { admins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { remembered } from '../../kernel/memory.ts'
import type { Finding, Stored, Values } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { ActingScopes, Count, Instant, Name, Ref, Refs, Text, Texts } from '../../kernel/schema/values.ts'
import { ConditionGroups } from '../../language/conditions/conditions.ts'
import { Code, Codes, codeTableOfCodes, isKnownCode } from '../../records/code-table.ts'
import { webhookFormat } from '../envelope.ts'
import { triggerEvents } from '../trigger-event.ts'

export const hookState = { well: 0, failing: 1, disabled: 2 } as const

const shape = {
  name: Name(200),
  url: Text(2048),
  events: Codes(triggerEvents, 100),
  container: Refs('Container'),
  conditionGroup: ConditionGroups,
  secret: Text(200, { writeOnly: true }),
  headers: Texts(50, 8192),
  format: Code(codeTableOfCodes('hook.format', webhookFormat)),
  active: Type.Boolean({ default: true }),
  includePrevious: Type.Boolean(),
  ownerUser: Ref('User'),
  state: Code(codeTableOfCodes('hook.state', hookState), { description: '0 well · 1 failing · 2 disabled' }),
  failures: Count(),
  failingSince: Instant,
  retryAt: Instant,
  disabledAt: Instant,
  scopes: ActingScopes,
}

export type Hook = Stored<typeof shape>
export type HookValues = Values<typeof shape>

/** A webhook: an external address to which events are sent. */
export const hooks = resource('Hook', {
  about:
    'A webhook: a foreign address to which events are sent, signed according to Standard Webhooks. It receives only what `ownerUser`, the user who last changed its address or selection, may see. `secret` and the values of `headers` are write-only: `***` keeps them. Without a given secret one is generated: the reply to the creation shows it, once, and `rotate-secret` returns a new one.',
  shape,
  serverSet: ['ownerUser', 'state', 'failures', 'failingSince', 'retryAt', 'disabledAt', 'scopes'],
  may: { read: admins },
  findings: hookFindings,
  remembered: true,
  example: { name: 'Build server', url: 'https://build.example.com/gantry', events: [1, 8], format: 0 },
})

async function hookFindings(hook: Hook, ctx: Context): Promise<Finding[]> {
  const found = await conditionFindings(ctx, hook.conditionGroup, { containerIds: hook.container })
  if (hook.url === '') found.push({ path: '/url', code: 'no-url', message: 'has no address to call' })
  if (!Object.values<number>(webhookFormat).includes(hook.format))
    found.push({ path: '/format', code: 'unknown-code', message: `${hook.format} is not a known format` })
  for (const [i, code] of hook.events.entries())
    if (!isKnownCode(triggerEvents, code))
      found.push({ path: `/events/${i}`, code: 'unknown-code', message: `${code} is not a known event` })
  if (hook.secret === '')
    found.push({ path: '/secret', code: 'no-secret', message: 'calls are not signed; rotate-secret creates a secret' })
  if (hook.disabledAt)
    found.push({ path: '/state', code: 'disabled', message: 'was switched off after its address failed for too long' })
  else if (hook.state === hookState.failing)
    found.push({ path: '/state', code: 'failing', message: `its address has failed ${hook.failures} times in a row` })
  return found
}

/** The hooks of the tenant that are enabled. The list is cached, so a tenant without hooks pays nothing per event. */
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
