import { check } from '../kernel/crud.ts'
import { operation, type Routes } from '../kernel/operation.ts'
import { withCheck } from '../kernel/record/findings.ts'
import { history } from '../records/history/history.ts'
import {
  type MailGeneralValues,
  mailGeneral,
  mailGeneralFindings,
  readMailGeneral,
  setMailGeneral,
} from './mail-general.ts'

const schema = mailGeneral.schema

const getMailGeneral = operation({
  permission: mailGeneral.permissions.read,
  mode: 'read',
  summary: 'Get the general mail settings',
  description: `${mailGeneral.about} Before the first change they have their defaults and version 0.`,
  reply: { status: 200, schema, description: 'The settings.' },
  async run(ctx) {
    const record = await readMailGeneral(ctx)
    return { body: await withCheck(ctx, record, mailGeneral.findings), version: record.version }
  },
})

const updateMailGeneral = operation<Partial<MailGeneralValues>>({
  permission: mailGeneral.permissions.update,
  mode: 'write',
  summary: 'Set the general mail settings',
  description: `${mailGeneral.about} Properties that are absent stay, \`null\` resets a property to its default, an array replaces the whole array.`,
  body: {
    schema: mailGeneral.updateSchema,
    read: mailGeneral.readUpdate,
    example: { signature: 'Kind regards', domainStopList: ['spam.example'], subjectStopList: ['/^out of office/'] },
  },
  reply: { status: 200, schema, description: 'The updated settings.' },
  refusals: [412],
  async run(ctx, { body, expect }) {
    const record = await setMailGeneral(ctx, body, expect)
    return { body: await withCheck(ctx, record, mailGeneral.findings), version: record.version }
  },
})

const recordHistory = history(mailGeneral)

const historyOfMailGeneral = operation({
  ...recordHistory,
  summary: 'History of the general mail settings',
  async run(ctx, input) {
    const { tenantId } = ctx.caller
    if (!(await mailGeneral.find(ctx, tenantId))) return { text: '[]' }
    return await recordHistory.run(ctx, { ...input, params: { id: tenantId } })
  },
})

const checkOfMailGeneral = operation({
  ...check(mailGeneral),
  summary: 'Check the general mail settings',
  async run(ctx) {
    return { body: await mailGeneralFindings(await readMailGeneral(ctx), ctx) }
  },
})

export const routes: Routes = {
  'GET /mail/general': getMailGeneral,
  'GET /mail/general/check': checkOfMailGeneral,
  'PUT /mail/general': updateMailGeneral,
  'PATCH /mail/general': updateMailGeneral,
  'GET /mail/general/history': historyOfMailGeneral,
}
