import { everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Finding, findingsSchema } from '../../kernel/record.ts'
import { refuseUnknown } from '../../kernel/references.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/shape.ts'
import { knownEvents } from '../event-labels.ts'
import type { ChannelChoice } from './channels.ts'
import { defaultPreference, digestInterval, notifiedUsers, type Preference, updatePreference } from './preference.ts'

const choiceSchema: Schema = {
  type: 'object',
  properties: {
    event: { type: 'string', minLength: 1, maxLength: 100, description: 'The name of an event; `*` is all.' },
    containerId: { type: 'string', maxLength: 36, description: 'Only there; empty is everywhere.' },
    inbox: { type: 'boolean' },
    mail: { type: 'boolean' },
  },
  required: ['event'],
  additionalProperties: false,
}

const properties: Record<string, Schema> = {
  digest: {
    type: 'integer',
    minimum: -2147483648,
    maximum: 2147483647,
    description: 'Mail: 0 none · 1 after 15 minutes · 2 after an hour · 3 once a day.',
  },
  quietHours: { type: 'boolean', description: 'No mail outside of one’s working hours, if they say when those are.' },
  events: {
    type: 'array',
    items: choiceSchema,
    maxItems: 500,
    description: 'Event by event; what is not named is told.',
  },
}

const shown: Schema = {
  type: 'object',
  title: 'NotificationPreference',
  properties: {
    ...properties,
    userId: { type: 'string' },
    mail: { type: 'boolean', description: 'Whether mail goes out at all: the user’s `notifications`, and an address.' },
    check: findingsSchema,
  },
  required: ['userId', 'mail', 'digest', 'quietHours', 'events', 'check'],
}

const allowed = permission('notificationPreference.update', everyone)

async function preferenceShown(ctx: Context): Promise<object> {
  const { userId } = ctx.caller
  const found = (await notifiedUsers(ctx, [userId])).get(userId)
  const { digest, quietHours, events } = found ?? defaultPreference
  return { userId, mail: found?.wantsMail ?? false, digest, quietHours, events, check: inert({ digest, events }) }
}

/** A code or a name that means nothing is kept, and does nothing. */
function inert({ digest, events }: Pick<Preference, 'digest' | 'events'>): Finding[] {
  const findings = events.flatMap(({ event }, i) =>
    event === '*' || knownEvents.includes(event)
      ? []
      : [{ path: `/events/${i}/event`, code: 'unknown-event', message: `${event} is no event known here` }],
  )
  if (Object.values(digestInterval).some(code => code === digest)) return findings
  return [{ path: '/digest', code: 'unknown-code', message: `${digest} is taken as 15 minutes` }, ...findings]
}

const readPreference = operation({
  permission: permission('notificationPreference.read', everyone),
  placed: true,
  mode: 'read',
  summary: 'Read how one wants to be told',
  description: 'What the caller hears of, in the inbox and by mail, and how often mail goes out.',
  reply: { status: 200, schema: shown, description: 'The choices.' },
  run: async ctx => ({ body: await preferenceShown(ctx) }),
})

type Wish = Partial<Omit<Preference, 'events'>> & { events?: (Partial<ChannelChoice> & { event: string })[] }

const bodySchema: Schema = { type: 'object', properties, additionalProperties: false }

const writePreference = operation<Wish>({
  permission: allowed,
  placed: true,
  mode: 'write',
  summary: 'Say how one wants to be told',
  description:
    'Merges; `events` that are given replace all. What is said of a container counts before what is said of everywhere, an event before `*`.',
  body: {
    schema: bodySchema,
    read: reader<Wish>(bodySchema, { ignored: ['userId', 'mail', 'check'] }),
    example: { digest: 2, events: [{ event: 'item.updated', inbox: true, mail: false }] },
  },
  reply: { status: 200, schema: shown, description: 'The choices.' },
  refusals: [422],
  async run(ctx, { body }) {
    const { digest, quietHours, events } = body
    const choices = events?.map(each => ({ containerId: '', inbox: true, mail: true, ...each })).map(spelled)
    if (choices) await refuseWrong(ctx, choices)
    await updatePreference(ctx, ctx.caller.userId, {
      ...(digest === undefined ? {} : { digest: digest ?? defaultPreference.digest }),
      ...(quietHours === undefined ? {} : { quietHours: quietHours ?? defaultPreference.quietHours }),
      ...(choices ? { events: choices } : {}),
    })
    return { body: await preferenceShown(ctx) }
  },
})

const spelled = (choice: ChannelChoice): ChannelChoice => ({ ...choice, containerId: choice.containerId.toLowerCase() })

async function refuseWrong(ctx: Context, choices: readonly ChannelChoice[]): Promise<void> {
  const faults: Fault[] = []
  const said = new Set<string>()
  for (const [i, { event, containerId }] of choices.entries()) {
    const key = `${event} ${containerId}`
    if (said.has(key)) faults.push(fault(['events', i], 'duplicate', 'this event is named twice for the same place'))
    said.add(key)
  }
  if (faults.length > 0) throw new Invalid(faults)
  const named = choices.flatMap(({ containerId }, i) =>
    containerId === '' ? [] : [{ entity: 'Container', id: containerId, path: ['events', i, 'containerId'] }],
  )
  await refuseUnknown(ctx, named)
}

export const routes: Routes = {
  'GET /notification/preference': readPreference,
  'PUT /notification/preference': writePreference,
}
