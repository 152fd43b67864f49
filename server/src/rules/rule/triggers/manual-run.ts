import { createHash, randomBytes } from 'node:crypto'
import { errorShownTo } from '../../../containers/redaction/redaction.ts'
import { withSystemAuthority } from '../../../identity/tenant-caller.ts'
import { items } from '../../../items/item/item.ts'
import { may, members, permission } from '../../../kernel/access.ts'
import type { Context } from '../../../kernel/context.ts'
import { type Id, isId } from '../../../kernel/id.ts'
import { operation, type Routes } from '../../../kernel/operation.ts'
import { unknownReferences } from '../../../kernel/record/references.ts'
import { RuleBroken } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { newSecret } from '../../../notify/signature.ts'
import { mask, storeSecret } from '../../../platform/secrets.ts'
import { Code } from '../../../records/code-table.ts'
import { signingName } from '../actions/signing-secret.ts'
import type { Occurrence } from '../engine/occurrence.ts'
import { pass } from '../engine/pass.ts'
import { ruleOutcomes } from '../log/log.ts'
import { actionResultSchema } from '../log/log-operations.ts'
import { type Rule, rules } from '../rule.ts'
import { trigger } from '../rule-codes.ts'

/** The permission to run manual rules. */
const running = permission('rule.run', members)

const onItem: Schema = {
  type: 'object',
  properties: { itemId: { type: 'string', maxLength: 36, 'x-ref': 'Item' } },
  required: ['itemId'],
  additionalProperties: false,
}

/** Makes the occurrence of a manual run or an inbound call. Its chain starts with the change set of the request. */
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
    'Performs the actions of a rule on one item if its conditions hold, with the rights of the rule. All staff may run manual rules (`trigger` 3); users who may update rules may run any rule.',
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
        outcome: Code(ruleOutcomes, {
          description: 'The code of the outcome, as in the log; 0 if the conditions do not hold.',
        }),
        changeSetId: { type: 'string', nullable: true },
        actions: { type: 'array', items: actionResultSchema },
        error: { type: 'string' },
      },
      required: ['outcome', 'changeSetId', 'actions', 'error'],
    },
    description: 'The result of the run.',
  },
  refusals: [404, 422],
  async run(ctx, { params, body }) {
    const rule = await rules.get(ctx, params.id ?? '')
    refuseInactive(ctx, rule)
    const item = isId(body.itemId) ? await items.find(ctx, body.itemId) : undefined
    if (!item) throw unknownReferences([{ entity: 'Item', id: body.itemId, path: ['itemId'] }])
    const [entry] = await pass(withSystemAuthority(ctx), [rule], requestedOccurrence(ctx, 'rule.run', item.id), {
      waited: true,
    })
    const { outcome = 0, changeSetId = null, actions = [], error = '' } = entry ?? {}
    return { body: { outcome, changeSetId, actions, error: errorShownTo(ctx.caller, rule, error) } }
  },
})

function refuseInactive({ caller }: Context, rule: Rule): void {
  if (!rule.active) throw new RuleBroken('rule-inactive', 'the rule is switched off')
  if (rule.trigger !== trigger.manual && !may(caller, rules.permissions.update))
    throw new RuleBroken('not-manual', 'the rule is not a manual rule')
}

const secretSchema: Schema = {
  type: 'object',
  title: 'RuleSecret',
  properties: { secret: { type: 'string', description: 'Returned only once.' }, path: { type: 'string' } },
  required: ['secret'],
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

const callSecret = operation({
  permission: rules.permissions.update,
  mode: 'write',
  unrepeatable: true,
  summary: 'Create the secret for calls to a rule',
  description:
    'Creates the secret with which foreign systems call a rule of `trigger` 5: `POST /api/rule/{id}/call/{secret}`. It is returned only once; the previous secret becomes invalid.',
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
  summary: 'Create the signing secret of a rule',
  description:
    'Creates the secret with which the calls of the rule are signed from now on, by Standard Webhooks. It is returned only once; calls of a rule without a secret are unsigned.',
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

/** The history shows that the secret was replaced, but not its value. */
async function recordSecretChange(ctx: Context, { id }: Rule, property: string): Promise<void> {
  await rules.update(ctx, id, {}, { own: { columns: {}, changes: { [property]: { from: mask, to: mask } } } })
}

export const routes: Routes = {
  'POST /rule/:id/run': run,
  'POST /rule/:id/call-secret': callSecret,
  'POST /rule/:id/signing-secret': signingSecret,
}
