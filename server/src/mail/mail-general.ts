import type { Context } from '../kernel/database.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { Invalid } from '../kernel/refusal.ts'
import { type Expect, expected, resource, type Stored, type Values } from '../kernel/resource.ts'
import type { Schema } from '../kernel/shape.ts'
import { history } from '../kernel/stock.ts'
import { LongText, Texts } from '../kernel/values.ts'
import { domainFaults, subjectFaults } from './stop-list.ts'

const shape = {
  signature: LongText(),
  domainStopList: Texts(1000, 253),
  subjectStopList: Texts(1000, 500),
}

export type MailGeneral = Stored<typeof shape>
type MailGeneralValues = Values<typeof shape>

/** How the tenant deals with mail: one record, with the tenant's own id. */
export const mailGeneral = resource('MailGeneral', {
  about:
    'What holds for all mail of the tenant: the signature, and whose mail is stopped. A subject is stopped by a text it contains, or by a pattern between slashes: `/out of office/`.',
  shape,
  check: checkMailGeneral,
})

function checkMailGeneral(_ctx: Context, { domainStopList, subjectStopList }: MailGeneralValues): void {
  const faults = [
    ...domainFaults(domainStopList, 'domainStopList'),
    ...subjectFaults(subjectStopList, 'subjectStopList'),
  ]
  if (faults.length > 0) throw new Invalid(faults)
}

async function read(ctx: Context): Promise<MailGeneral> {
  return (await mailGeneral.find(ctx, ctx.caller.tenantId)) ?? (await untouched(ctx))
}

/** Before anybody has set anything: as old as the tenant, and version 0. */
async function untouched(ctx: Context): Promise<MailGeneral> {
  const { tenantId } = ctx.caller
  const [tenant] = await ctx.sql<{ created: Date; by: string }>`select created, created_by as by from tenant
    where tenant_id = ${tenantId} and id = ${tenantId}`
  const [at, by] = [tenant?.created.toISOString() ?? '', tenant?.by ?? '']
  return {
    entity: mailGeneral.entity,
    tenantId,
    id: tenantId,
    created: at,
    createdBy: by,
    updated: at,
    updatedBy: by,
    deleted: false,
    version: 0,
    signature: '',
    domainStopList: [],
    subjectStopList: [],
  }
}

async function set(ctx: Context, values: Partial<MailGeneralValues>, expect: Expect): Promise<MailGeneral> {
  const { tenantId } = ctx.caller
  // Two who are the first at the same moment: the second one waits here, and then finds what the first one made.
  await ctx.sql`select 1 from tenant where tenant_id = ${tenantId} and id = ${tenantId} for no key update`
  if (await mailGeneral.find(ctx, tenantId)) return await mailGeneral.update(ctx, tenantId, values, { expect })
  expected(await untouched(ctx), expect)
  return await mailGeneral.create(ctx, values, { id: tenantId })
}

const schema = mailGeneral.schema as Schema

const getMailGeneral = operation({
  permission: mailGeneral.permissions.read,
  mode: 'read',
  summary: 'Get the general mail settings',
  description: `${mailGeneral.about} Before anybody has set them they are empty, with version 0.`,
  reply: { status: 200, schema, description: 'The settings.' },
  async run(ctx) {
    const record = await read(ctx)
    return { body: record, version: record.version }
  },
})

const setMailGeneral = operation<Partial<MailGeneralValues>>({
  permission: mailGeneral.permissions.update,
  mode: 'write',
  summary: 'Set the general mail settings',
  description: `${mailGeneral.about} Merges: what is absent stays as it is, \`null\` clears, an array replaces the whole array.`,
  body: {
    schema: mailGeneral.updateSchema,
    read: mailGeneral.readUpdate,
    example: { signature: 'Kind regards', domainStopList: ['spam.example'], subjectStopList: ['/^out of office/'] },
  },
  reply: { status: 200, schema, description: 'The settings as they are now.' },
  refusals: [412],
  async run(ctx, { body, expect }) {
    const record = await set(ctx, body, expect)
    return { body: record, version: record.version }
  },
})

const ofRecord = history(mailGeneral)

const historyOfMailGeneral = operation({
  ...ofRecord,
  summary: 'History of the general mail settings',
  async run(ctx, input) {
    const { tenantId } = ctx.caller
    if (!(await mailGeneral.find(ctx, tenantId))) return { text: '[]' }
    return await ofRecord.run(ctx, { ...input, params: { id: tenantId } })
  },
})

export const routes: Routes = {
  'GET /mail/general': getMailGeneral,
  'PUT /mail/general': setMailGeneral,
  'PATCH /mail/general': setMailGeneral,
  'GET /mail/general/history': historyOfMailGeneral,
}
