import { admins, permission } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { applyPlan } from './apply.ts'
import { type Catalogue, type ConfigurationDocument, documentOf, format, readConfiguration } from './document.ts'
import { type ConfigurationPlan, makePlan } from './plan.ts'
import { token } from './tokens.ts'

export type { Configurable, ExternalKind } from './document.ts'

const manage = permission('config.admin', admins)

const documentSchema: Schema = {
  type: 'object',
  title: 'Configuration',
  description: `Records by kind and natural key; an absent property stays unchanged. \`${token('Kind', 'key')}\` stands for the id of a record.`,
  properties: {
    format: { type: 'string', const: format },
    version: { type: 'integer', const: 1 },
    kinds: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: { type: 'object' } },
    },
  },
  required: ['format', 'version', 'kinds'],
  additionalProperties: false,
}

const stepSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string' },
    key: { type: 'string' },
    action: { type: 'string', enum: ['add', 'change', 'remove'] },
    id: { type: 'string', description: 'The id of the existing record; empty for a new one.' },
    changes: {
      type: 'object',
      description: 'The old and the new value of each property: `{"name": {"from": …, "to": …}}`.',
    },
    affected: {
      type: 'array',
      description: 'The numbers of records that refer to it.',
      items: {
        type: 'object',
        properties: { entity: { type: 'string' }, count: { type: 'integer' } },
        required: ['entity', 'count'],
      },
    },
  },
  required: ['kind', 'key', 'action', 'id', 'changes', 'affected'],
}

const planProperties: Record<string, Schema> = {
  planHash: { type: 'string', description: 'Identifies the plan; `apply` refuses if the plan has changed.' },
  steps: { type: 'array', items: stepSchema },
  warnings: {
    type: 'array',
    items: {
      type: 'object',
      properties: { pointer: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      required: ['pointer', 'code', 'message'],
    },
  },
}

const planSchema: Schema = {
  type: 'object',
  title: 'ConfigurationPlan',
  properties: planProperties,
  required: Object.keys(planProperties),
}

const appliedSchema: Schema = {
  type: 'object',
  title: 'ConfigurationApplied',
  properties: {
    applied: { type: 'integer', description: 'The number of records that were changed.' },
    ...planProperties,
  },
  required: ['applied', ...Object.keys(planProperties)],
}

const planBody: Schema = {
  type: 'object',
  properties: { document: documentSchema },
  required: ['document'],
  additionalProperties: false,
}

const applyBody: Schema = {
  ...planBody,
  properties: {
    document: documentSchema,
    planHash: { type: 'string', maxLength: 64, description: 'The hash of the reviewed plan.' },
    remove: {
      type: 'boolean',
      description: 'Also removes records that the document does not list, for the kinds in the document.',
    },
  },
}

interface ConfigurationInput {
  document: ConfigurationDocument
  planHash?: string
  remove?: boolean
}

const example = {
  document: { format, version: 1, kinds: { Label: { urgent: { name: 'urgent', color: '#cc0000' } } } },
}

/** A configuration may be larger than other bodies. */
const maxBodyBytes = 32 * 1024 * 1024

/** Includes the members of groups on request only, because a document should not contain more personal data than needed. */
function withMembers(catalogue: Catalogue, query: Record<string, unknown>): Catalogue {
  if (query.members !== 'true') return catalogue
  const kinds = catalogue.kinds.map(each => ({ ...each, omit: (each.omit ?? []).filter(one => one !== 'members') }))
  return { ...catalogue, kinds }
}

/** The operations that export the configuration of a tenant as one document, compare a document with it, and apply one. */
export function configurationRoutes(catalogue: Catalogue): Routes {
  const exporting = operation({
    permission: manage,
    mode: 'read',
    summary: 'Export the configuration',
    description:
      'One document with the configuration of the tenant, without its work. Equal configurations give identical text; records are identified by kind and natural key, so that the document can be applied to another tenant. It contains no secrets.',
    query: {
      members: {
        type: 'string',
        enum: ['true', 'false'],
        description: 'Whether to include the members of user groups, by e-mail address.',
      },
    },
    reply: { status: 200, schema: documentSchema, description: 'The configuration.' },
    refusals: [422],
    async run(ctx, { query }) {
      return {
        text: JSON.stringify(documentOf(await readConfiguration(ctx, withMembers(catalogue, query))), null, 2),
      }
    },
  })

  const planning = operation<ConfigurationInput>({
    permission: manage,
    mode: 'read',
    summary: 'Plan a configuration',
    description:
      'Compares a document with the current configuration: the records that would be added, changed and removed, with each property, the number of records that refer to them, and warnings. Nothing is written. `Fields` names every fault of the document.',
    body: { schema: planBody, read: reader<ConfigurationInput>(planBody), example, limit: maxBodyBytes },
    reply: { status: 200, schema: planSchema, description: 'The plan.' },
    refusals: [422],
    async run(ctx, { body }) {
      const whole = catalogueFor(catalogue, body.document)
      return { body: planReply(await makePlan(ctx, whole, await readConfiguration(ctx, whole), body.document)) }
    },
  })

  const applying = operation<ConfigurationInput>({
    permission: manage,
    mode: 'write',
    summary: 'Apply a configuration',
    description:
      'Applies a document, all of it or nothing, in one change set that can be reverted. Every record goes through the operations of its kind, with their checks and permissions. With `planHash`, the request is refused if the plan differs from the reviewed one (409). Records that the document does not list stay, unless `remove` is true.',
    body: { schema: applyBody, read: reader<ConfigurationInput>(applyBody), example, limit: maxBodyBytes },
    reply: { status: 200, schema: appliedSchema, description: 'The applied plan.' },
    refusals: [409, 422],
    async run(ctx, { body }) {
      // Serializes concurrent requests of a tenant, so that each plan matches the configuration it is applied to.
      await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`configuration ${ctx.caller.tenantId}`}, 0))`
      const whole = catalogueFor(catalogue, body.document)
      const plan = await makePlan(ctx, whole, await readConfiguration(ctx, whole), body.document)
      if (body.planHash !== undefined && body.planHash !== plan.planHash)
        throw new Refusal(
          409,
          'plan-outdated',
          'the configuration or the document has changed since the plan; plan again',
        )
      const applied = await applyPlan(ctx, whole, plan, body.remove === true)
      return { body: { applied, ...planReply(plan) } }
    },
  })

  return { 'GET /config/export': exporting, 'POST /config/plan': planning, 'POST /config/apply': applying }
}

function planReply({ planHash, steps, warnings }: ConfigurationPlan): ConfigurationPlan {
  return { planHash, steps, warnings }
}

/** Members are compared only if the document contains members. */
function catalogueFor(catalogue: Catalogue, { kinds }: ConfigurationDocument): Catalogue {
  const hasMembers = Object.values(kinds).some(byKey => Object.values(byKey).some(entry => 'members' in entry))
  return withMembers(catalogue, { members: String(hasMembers) })
}
