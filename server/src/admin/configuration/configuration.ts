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
  description: `Records by kind and natural key; a property that is absent stays as it is. \`${token('Kind', 'key')}\` stands wherever an id would.`,
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
    id: { type: 'string', description: 'Of the record that is there; empty for a new one.' },
    changes: { type: 'object', description: 'Before and after of each property: `{"name": {"from": …, "to": …}}`.' },
    affected: {
      type: 'array',
      description: 'How many records hold on to it.',
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
  planHash: { type: 'string', description: 'Tells this plan from any other; `apply` refuses if it no longer holds.' },
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
  properties: { applied: { type: 'integer', description: 'How many records were touched.' }, ...planProperties },
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
    planHash: { type: 'string', maxLength: 64, description: 'Of the plan that was looked at.' },
    remove: {
      type: 'boolean',
      description: 'Also removes what the kinds in the document do not list; otherwise it stays.',
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

/** A configuration may be longer than a usual body. */
const maxBodyBytes = 32 * 1024 * 1024

/** Whoever asks for members gets them; else a document has nobody's name in it that it need not have. */
function withMembers(catalogue: Catalogue, query: Record<string, unknown>): Catalogue {
  if (query.members !== 'true') return catalogue
  const kinds = catalogue.kinds.map(each => ({ ...each, omit: (each.omit ?? []).filter(one => one !== 'members') }))
  return { ...catalogue, kinds }
}

/** The configuration of a tenant as one document: written, held against what there is, and carried out. */
export function configurationRoutes(catalogue: Catalogue): Routes {
  const exporting = operation({
    permission: manage,
    mode: 'read',
    summary: 'Export the configuration',
    description:
      'One document of everything that makes a tenant work as it does, and of none of its work. The same configuration is the same text, byte by byte; records are named by kind and natural key, so that it applies to another tenant. Secrets are not in it.',
    query: {
      members: { type: 'string', enum: ['true', 'false'], description: 'With the members of user groups, by e-mail.' },
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
    summary: 'What applying a configuration would do',
    description:
      'Holds a document against the configuration as it is: what would be added, changed and removed, property by property, how many records hold on to it, and what to beware of. Nothing is written. Every fault of the document is named in `Fields`.',
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
      'Makes the configuration what the document says: all of it or nothing, in one change set that can be taken back. Every record goes through the operations of its kind, with their checks and permissions. With `planHash`, only if the plan still is the one that was looked at (409). What the document does not list stays, unless `remove` is true.',
    body: { schema: applyBody, read: reader<ConfigurationInput>(applyBody), example, limit: maxBodyBytes },
    reply: { status: 200, schema: appliedSchema, description: 'What was done.' },
    refusals: [409, 422],
    async run(ctx, { body }) {
      // Two who configure at once do it one after the other.
      await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${`configuration ${ctx.caller.tenantId}`}, 0))`
      const whole = catalogueFor(catalogue, body.document)
      const plan = await makePlan(ctx, whole, await readConfiguration(ctx, whole), body.document)
      if (body.planHash !== undefined && body.planHash !== plan.planHash)
        throw new Refusal(409, 'plan-outdated', 'the configuration or the document is not what was planned; plan again')
      const applied = await applyPlan(ctx, whole, plan, body.remove === true)
      return { body: { applied, ...planReply(plan) } }
    },
  })

  return { 'GET /config/export': exporting, 'POST /config/plan': planning, 'POST /config/apply': applying }
}

function planReply({ planHash, steps, warnings }: ConfigurationPlan): ConfigurationPlan {
  return { planHash, steps, warnings }
}

/** A document that tells of members is held against the members. */
function catalogueFor(catalogue: Catalogue, { kinds }: ConfigurationDocument): Catalogue {
  const told = Object.values(kinds).some(byKey => Object.values(byKey).some(entry => 'members' in entry))
  return withMembers(catalogue, { members: String(told) })
}
