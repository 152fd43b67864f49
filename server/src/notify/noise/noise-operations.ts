import { demand, everyone, managers, permission } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { readWhole } from '../../kernel/schema/whole-number.ts'
import { type Channel, channels, countedDays, sourceKinds } from './count-messages.ts'
import { maxListed, noiseOf } from './noise.ts'

const readAll = permission('noise.readAll', managers)

const inbox: Schema = { type: 'integer', description: 'New or changed entries of inboxes.' }
const mail: Schema = { type: 'integer', description: 'Mails to addresses of users.' }
const held: Schema = {
  type: 'integer',
  description:
    'Messages whose mail was held, because their reader had got as many mails on that day as the limit allows.',
}
const digested: Schema = { type: 'integer', description: 'Messages that came with the digest of what was held.' }
const numbers: Record<Channel, Schema> = { inbox, mail, held, digested }

const budgetSchema: Schema = {
  type: 'object',
  nullable: true,
  description: 'The mails of the caller today, in their time zone; null with `scope=all`, and if there is no limit.',
  properties: {
    limit: { type: 'integer', description: 'The most notification mails on a day.' },
    sent: { type: 'integer' },
    held: { type: 'integer', description: 'The messages of today that wait for the digest.' },
    digestAt: {
      type: 'string',
      format: 'date-time',
      nullable: true,
      description: 'When the digest of what is held is due; null if nothing waits. It is not sent in quiet hours.',
    },
  },
  required: ['limit', 'sent', 'held', 'digestAt'],
}

const sourceSchema: Schema = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: [...sourceKinds] },
    id: {
      type: 'string',
      description:
        'The rule or the notification; for the other kinds the container. Empty if there is none, and for all that the caller may not see.',
    },
    name: { type: 'string' },
    ...numbers,
  },
  required: ['kind', 'id', 'name', ...channels],
}

const personSchema: Schema = {
  type: 'object',
  properties: { userId: { type: 'string' }, name: { type: 'string' }, ...numbers },
  required: ['userId', 'name', ...channels],
}

const schema: Schema = {
  type: 'object',
  title: 'Noise',
  properties: {
    since: { type: 'string', format: 'date', description: 'The first day that is counted (UTC).' },
    ...numbers,
    budget: budgetSchema,
    sources: { type: 'array', items: sourceSchema, description: `The ${maxListed} sources of most messages.` },
    people: {
      type: 'array',
      items: personSchema,
      description: `With \`scope=all\`, the ${maxListed} users who got most messages.`,
    },
  },
  required: ['since', ...channels, 'budget', 'sources', 'people'],
}

const read = operation({
  permission: permission('noise.read', everyone),
  placed: true,
  mode: 'read',
  summary: 'Count the messages of the last days',
  description:
    'How many messages the caller got in the last days, today included, by what sent them: rules, notifications, watches, mentions, approvals, warnings, and digests, which are mails about the inbox. `held` and `digested` are the messages beyond the limit of mails per day, and `budget` is what is left of it today. `scope=all` counts those to all users and names the users who got most; for managers.',
  query: {
    days: { type: 'integer', minimum: 1, maximum: countedDays, default: 7 },
    scope: { type: 'string', enum: ['own', 'all'], default: 'own' },
  },
  reply: { status: 200, schema, description: 'The numbers.' },
  refusals: [422],
  async run(ctx, { query }) {
    const isAll = query.scope === 'all'
    if (isAll) demand(ctx.caller, readAll)
    const days = readWhole('days', query.days, 1, countedDays) ?? 7
    return { body: await noiseOf(ctx, days, isAll ? undefined : ctx.caller.userId) }
  },
})

export const routes: Routes = { 'GET /notification/noise': read }
