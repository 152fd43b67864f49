import { demand, everyone, managers, permission } from '../../kernel/access.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { countedDays, sourceKinds } from './count-messages.ts'
import { maxListed, noiseOf } from './noise.ts'

const readAll = permission('noise.readAll', managers)

const inbox: Schema = { type: 'integer', description: 'New or changed entries of inboxes.' }
const mail: Schema = { type: 'integer', description: 'Mails to addresses of users.' }

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
    inbox,
    mail,
  },
  required: ['kind', 'id', 'name', 'inbox', 'mail'],
}

const personSchema: Schema = {
  type: 'object',
  properties: { userId: { type: 'string' }, name: { type: 'string' }, inbox, mail },
  required: ['userId', 'name', 'inbox', 'mail'],
}

const schema: Schema = {
  type: 'object',
  title: 'Noise',
  properties: {
    since: { type: 'string', format: 'date', description: 'The first day that is counted (UTC).' },
    inbox,
    mail,
    sources: { type: 'array', items: sourceSchema, description: `The ${maxListed} sources of most messages.` },
    people: {
      type: 'array',
      items: personSchema,
      description: `With \`scope=all\`, the ${maxListed} users who got most messages.`,
    },
  },
  required: ['since', 'inbox', 'mail', 'sources', 'people'],
}

const read = operation({
  permission: permission('noise.read', everyone),
  placed: true,
  mode: 'read',
  summary: 'Count the messages of the last days',
  description:
    'How many messages the caller got in the last days, today included, by what sent them: rules, notifications, watches, mentions, approvals, warnings, and digests, which are mails about the inbox. `scope=all` counts those to all users and names the users who got most; for managers.',
  query: {
    days: { type: 'integer', minimum: 1, maximum: countedDays, default: 7 },
    scope: { type: 'string', enum: ['own', 'all'], default: 'own' },
  },
  reply: { status: 200, schema, description: 'The numbers.' },
  refusals: [422],
  async run(ctx, { query }) {
    const isAll = query.scope === 'all'
    if (isAll) demand(ctx.caller, readAll)
    return { body: await noiseOf(ctx, readDays(query.days ?? '7'), isAll ? undefined : ctx.caller.userId) }
  },
})

function readDays(given: unknown): number {
  const days = /^\d{1,2}$/.test(String(given)) ? Number(given) : 0
  if (days < 1 || days > countedDays)
    throw new Invalid([fault(['days'], 'range', `must be a whole number from 1 to ${countedDays}`, given)])
  return days
}

export const routes: Routes = { 'GET /notification/noise': read }
