import { createHash, randomBytes } from 'node:crypto'
import { items } from '../../../items/item/item.ts'
import { may, members, permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { withSystemAuthority } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { pointsAtNothing } from '../../../kernel/record/references.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { newSecret } from '../../../notify/signature.ts'
import { mask, storeSecret } from '../../../platform/secrets.ts'
import { signingName } from '../actions/signing-secret.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { actionResultSchema } from '../log/log-operations.ts'
import { type Rule, rules } from '../rule.ts'
import { trigger } from '../rule-codes.ts'

/** Pressing the button of a rule that waits for it. */
const running = permission('rule.run', members)

const onItem: Schema = {
  type: 'object',
  properties: { itemId: { type: 'string', maxLength: 36, 'x-ref': 'Item' } },
  required: ['itemId'],
  additionalProperties: false,
}

/** What somebody asks for by hand or by a call. They know what they change by it, so the chain begins with their change set. */
export function requestedOccurrence(
  ctx: Context,
  kind: string,
  itemId: Id | null,
  more: Occurrence['more'] = {},
): Occurrence {
  const { userId, kind: actorKind } = ctx.caller
  return {
    ...{ eventId: null, kind, entity: itemId ? 'Item' : 'Rule', recordId: itemId, itemId, actorId: userId, actorKind },
    ...{ at: ctx.now, changes: {}, cause: null, root: ctx.changeSet, more },
  }
}

const run = operation<{ itemId: string }>({
  permission: running,
  mode: 'write',
  summary: 'Run a rule on an item',
  description:
    'Does what a rule says to one item, if its conditions hold: as the rule, with its rights. Everybody on the staff runs rules that wait for it (`trigger` 3); who may change rules runs any of them.',
  body: {
    schema: onItem,
    read: reader<{ itemId: string }>(onItem),
    example: { itemId: '01890000-0000-7000-8000-000000000000' },
  },
  reply: {
    status: 200,
    schema: {
      type: 'object',
      title: 'RuleRun',
      properties: {
        outcome: { type: 'integer', description: 'As in the log; 0 where its conditions do not hold.' },
        changeSetId: { type: 'string', nullable: true },
        actions: { type: 'array', items: actionResultSchema },
        error: { type: 'string' },
      },
      required: ['outcome', 'changeSetId', 'actions', 'error'],
    },
    description: 'What came of it.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const rule = await rules.get(ctx, params.id ?? '')
    refuseInactive(ctx, rule)
    const item = isId(body.itemId) ? await items.find(ctx, body.itemId) : undefined
    if (!item) throw pointsAtNothing([{ entity: 'Item', id: body.itemId, path: ['itemId'] }])
    const [entry] = await pass(withSystemAuthority(ctx), [rule], requestedOccurrence(ctx, 'rule.run', item.id), {
      waited: true,
    })
    const { outcome = 0, changeSetId = null, actions = [], error = '' } = entry ?? {}
    return { body: { outcome, changeSetId, actions, error } }
  },
})

function refuseInactive({ caller }: Context, rule: Rule): void {
  if (!rule.active) throw new RuleBroken('rule-inactive', 'the rule is switched off')
  if (rule.trigger !== trigger.manual && !may(caller, rules.permissions.update))
    throw new RuleBroken('not-manual', 'the rule does not wait for anybody to run it')
}

const secretSchema: Schema = {
  type: 'object',
  title: 'RuleSecret',
  properties: { secret: { type: 'string', description: 'Shown this once.' }, path: { type: 'string' } },
  required: ['secret'],
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const callSecret = operation({
  permission: rules.permissions.update,
  mode: 'write',
  unrepeatable: true,
  summary: 'A secret for calls to a rule',
  description:
    'Makes the secret by which a rule of `trigger` 5 is called from outside: `POST /api/rule/{id}/call/{secret}`. It is shown in this answer alone; the one before it ends.',
  reply: { status: 200, schema: secretSchema, description: 'The secret, and the path that calls the rule.' },
  refusals: [404],
  async run(ctx, { params }) {
    const rule = await rules.get(ctx, params.id ?? '', { lock: true })
    const secret = randomBytes(32).toString('base64url')
    await ctx.sql`insert into rule_call (tenant_id, rule_id, digest) values (${ctx.caller.tenantId}, ${rule.id}, ${digestOf(secret)})
      on conflict (tenant_id, rule_id) do update set digest = excluded.digest`
    await recordSecretChange(ctx, rule, 'callSecret')
    return { body: { secret, path: `/api/rule/${rule.id}/call/${secret}` } }
  },
})

const signingSecret = operation({
  permission: rules.permissions.update,
  mode: 'write',
  unrepeatable: true,
  summary: 'A secret that signs a rule’s calls',
  description:
    'Makes the secret with which the calls of the rule are signed from now on, as Standard Webhooks says. It is shown in this answer alone; a rule without one calls unsigned.',
  reply: { status: 200, schema: secretSchema, description: 'The secret.' },
  refusals: [404],
  async run(ctx, { params }) {
    const rule = await rules.get(ctx, params.id ?? '', { lock: true })
    const secret = newSecret()
    await storeSecret(ctx, rule.id, signingName, secret)
    await recordSecretChange(ctx, rule, 'signingSecret')
    return { body: { secret } }
  },
})

/** Its history tells that there is another secret, and not which. */
async function recordSecretChange(ctx: Context, { id }: Rule, property: string): Promise<void> {
  await rules.update(ctx, id, {}, { own: { columns: {}, changes: { [property]: { from: mask, to: mask } } } })
}

export const routes: Routes = {
  'POST /rule/:id/run': run,
  'POST /rule/:id/call-secret': callSecret,
  'POST /rule/:id/signing-secret': signingSecret,
}
