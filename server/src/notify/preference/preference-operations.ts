import { everyone, permission } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation, type Routes } from '../../kernel/operation.ts'
import { type Finding, findingsSchema } from '../../kernel/record/record.ts'
import { refuseUnknown } from '../../kernel/record/references.ts'
import { type Fault, fault, Invalid } from '../../kernel/refusal.ts'
import { reader, type Schema } from '../../kernel/schema/shape.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { mailLimitOf } from '../budget/mail-limit.ts'
import { knownEvents } from '../event-labels.ts'
import type { ChannelChoice } from './channels.ts'
import {
  defaultPreference,
  digestInterval,
  maxMailsPerDay,
  notifiedUsers,
  type Preference,
  updatePreference,
} from './preference.ts'

const choiceSchema: Schema = {
  type: 'object',
  properties: {
    event: { type: 'string', minLength: 1, maxLength: 100, description: 'The name of an event; `*` means all events.' },
    containerId: {
      type: 'string',
      maxLength: 36,
      description: 'The container to which the choice is limited; empty means everywhere.',
    },
    inbox: { type: 'boolean' },
    mail: { type: 'boolean' },
  },
  required: ['event'],
  additionalProperties: false,
}

const properties: Record<string, Schema> = {
  digest: Code(codeTableOfCodes('preference.digest', digestInterval), {
    description: 'How often mail is sent: 0 never · 1 after 15 minutes · 2 after an hour · 3 once a day.',
  }),
  quietHours: {
    type: 'boolean',
    description: 'No mail is sent outside of the user’s working hours, if these name times of the day.',
  },
  mailsPerDay: {
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: maxMailsPerDay,
    description:
      'The most notification mails on a day, in the user’s time zone; further ones are sent as one digest in the next morning. Null uses the setting `notify.mailsPerDay` of the tenant.',
  },
  events: {
    type: 'array',
    items: choiceSchema,
    maxItems: 500,
    description: 'Channels per event. An event without a choice uses both channels.',
  },
}

const shown: Schema = {
  type: 'object',
  title: 'NotificationPreference',
  properties: {
    ...properties,
    userId: { type: 'string' },
    mail: {
      type: 'boolean',
      description: 'Whether mail is sent at all: the user has an address and `notifications` is on.',
    },
    mailLimit: {
      type: 'integer',
      description: 'The limit in force: `mailsPerDay`, or the setting of the tenant; 0 is no limit.',
    },
    check: findingsSchema,
  },
  required: ['userId', 'mail', 'digest', 'quietHours', 'mailsPerDay', 'mailLimit', 'events', 'check'],
}

const allowed = permission('notificationPreference.update', everyone)

async function preferenceShown(ctx: Context): Promise<object> {
  const { userId } = ctx.caller
  const found = (await notifiedUsers(ctx, [userId])).get(userId)
  const { digest, quietHours, mailsPerDay, events } = found ?? defaultPreference
  return {
    userId,
    mail: found?.wantsMail ?? false,
    digest,
    quietHours,
    mailsPerDay,
    mailLimit: await mailLimitOf(ctx, mailsPerDay),
    events,
    check: preferenceFindings({ digest, events }),
  }
}

/** Unknown codes and event names are stored without effect, and reported as findings. */
function preferenceFindings({ digest, events }: Pick<Preference, 'digest' | 'events'>): Finding[] {
  const findings = events.flatMap(({ event }, i) =>
    event === '*' || knownEvents.includes(event)
      ? []
      : [{ path: `/events/${i}/event`, code: 'unknown-event', message: `${event} is not a known event` }],
  )
  if (Object.values(digestInterval).some(code => code === digest)) return findings
  return [
    { path: '/digest', code: 'unknown-code', message: `${digest} is not a known code; it works like 1 (15 minutes)` },
    ...findings,
  ]
}

const readPreference = operation({
  permission: permission('notificationPreference.read', everyone),
  placed: true,
  mode: 'read',
  summary: 'Read the notification preference',
  description:
    'Returns the channels that the caller chose per event, how often mail is sent, and at most how many on a day.',
  reply: { status: 200, schema: shown, description: 'The choices.' },
  run: async ctx => ({ body: await preferenceShown(ctx) }),
})

type PreferenceInput = Partial<Omit<Preference, 'events'>> & { events?: (Partial<ChannelChoice> & { event: string })[] }

const bodySchema: Schema = { type: 'object', properties, additionalProperties: false }

const writePreference = operation<PreferenceInput>({
  permission: allowed,
  placed: true,
  mode: 'write',
  summary: 'Change the notification preference',
  description:
    'Omitted properties stay; `events` replaces the whole list. A choice for a container precedes a general one, and a choice for an event precedes `*`.',
  body: {
    schema: bodySchema,
    read: reader<PreferenceInput>(bodySchema, { ignored: ['userId', 'mail', 'mailLimit', 'check'] }),
    example: { digest: 2, events: [{ event: 'item.updated', inbox: true, mail: false }] },
  },
  reply: { status: 200, schema: shown, description: 'The choices.' },
  refusals: [422],
  async run(ctx, { body }) {
    const { digest, quietHours, mailsPerDay, events } = body
    const choices = events?.map(each => ({ containerId: '', inbox: true, mail: true, ...each })).map(withLowerCaseId)
    if (choices) await validateChoices(ctx, choices)
    await updatePreference(ctx, ctx.caller.userId, {
      ...(digest === undefined ? {} : { digest: digest ?? defaultPreference.digest }),
      ...(quietHours === undefined ? {} : { quietHours: quietHours ?? defaultPreference.quietHours }),
      ...(mailsPerDay === undefined ? {} : { mailsPerDay }),
      ...(choices ? { events: choices } : {}),
    })
    return { body: await preferenceShown(ctx) }
  },
})

const withLowerCaseId = (choice: ChannelChoice): ChannelChoice => ({
  ...choice,
  containerId: choice.containerId.toLowerCase(),
})

async function validateChoices(ctx: Context, choices: readonly ChannelChoice[]): Promise<void> {
  const faults: Fault[] = []
  const seen = new Set<string>()
  for (const [i, { event, containerId }] of choices.entries()) {
    const key = `${event} ${containerId}`
    if (seen.has(key))
      faults.push(fault(['events', i], 'duplicate', 'the same event occurs twice for the same container'))
    seen.add(key)
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
