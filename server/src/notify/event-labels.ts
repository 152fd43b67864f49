import { watchReason } from '../desk/watch/watch.ts'
import { triggerEvents } from './trigger-event.ts'

const labels = new Map([
  ...triggerEvents.meanings.map(({ name, label }) => [name, label] as const),
  ['filter.entered', 'Entered a filter that you watch'],
  ['filter.left', 'Left a filter that you watch'],
  ['rule.notified', 'Message of a rule'],
  ['approval.requested', 'Your approval is requested'],
  ['approval.approved', 'Your request was approved'],
  ['approval.rejected', 'Your request was rejected'],
  ['notification.ran', 'Result of a scheduled notification'],
  ['container.updated', 'Container changed'],
  ['area.updated', 'Area changed'],
  ['hook.failing', 'Hook fails'],
  ['rule.paused', 'Rule switched off'],
  ['mailbox.failing', 'Mailbox cannot be read'],
  ['mail.limited', 'Mail to external addresses is held back'],
])

/** The name of an event for users. */
export const eventLabel = (name: string): string => labels.get(name) ?? name

/** The names of events for which users choose channels. */
export const knownEvents: readonly string[] = [...labels.keys()].filter(name => name !== 'any')

/** The reason of a notice to somebody who is responsible for a record and does not watch it; beside the reasons of watches. */
export const responsibleReason = 8

const reasons: Readonly<Record<number, string>> = {
  [watchReason.manual]: 'You get this because you watch it',
  [watchReason.author]: 'You get this because you are its author or requester',
  [watchReason.assignee]: 'You get this because you are assigned to it',
  [watchReason.mentioned]: 'You get this because you were mentioned',
  [watchReason.commented]: 'You get this because you took part in the conversation',
  [watchReason.rule]: 'You get this because a rule notifies you',
  [watchReason.group]: 'You get this because your group watches it',
  [watchReason.cc]: 'You get this because you are in copy',
  [responsibleReason]: 'You get this because you are responsible for it',
}

/** The topic of links that turn off mail about these events. */
export const eventTopic = 'inbox-event'

export const reasonText = (reason: number): string => reasons[reason] ?? 'You get this because you watch it'
