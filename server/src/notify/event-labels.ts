import { watchReason } from '../desk/watch/watch.ts'
import { triggerEvents } from './trigger-event.ts'

const labels = new Map([
  ...triggerEvents.meanings.map(({ name, label }) => [name, label] as const),
  ['filter.entered', 'Came into a filter that you watch'],
  ['filter.left', 'Left a filter that you watch'],
  ['rule.notified', 'A rule tells you'],
  ['approval.requested', 'Your approval is asked for'],
  ['approval.approved', 'What you asked for was approved'],
  ['approval.rejected', 'What you asked for was rejected'],
  ['notification.ran', 'A question was answered'],
  ['container.updated', 'Container changed'],
  ['area.updated', 'Area changed'],
  ['hook.failing', 'Hook fails'],
  ['rule.paused', 'Rule switched off'],
  ['mailbox.failing', 'Mailbox cannot be read'],
  ['mail.limited', 'Mail to addresses outside is held back'],
])

/** What people call an event. */
export const eventLabel = (name: string): string => labels.get(name) ?? name

/** The names that choices can be made by. */
export const knownEvents: readonly string[] = [...labels.keys()].filter(name => name !== 'any')

/** The reason of a notice to somebody who is responsible for a record and does not watch it; beside the reasons of watches. */
export const responsibleReason = 8

const reasons: Readonly<Record<number, string>> = {
  [watchReason.manual]: 'You get this because you watch it',
  [watchReason.author]: 'You get this because you are its author or requester',
  [watchReason.assignee]: 'You get this because you are assigned to it',
  [watchReason.mentioned]: 'You get this because you were mentioned',
  [watchReason.commented]: 'You get this because you took part in the conversation',
  [watchReason.rule]: 'You get this because a rule says so',
  [watchReason.group]: 'You get this because your group watches it',
  [watchReason.cc]: 'You get this because you are in copy',
  [responsibleReason]: 'You get this because you answer for it',
}

/** By which somebody wants no more mail of these very events. */
export const eventTopic = 'inbox-event'

export const reasonText = (reason: number): string => reasons[reason] ?? 'You get this because you watch it'
