import { allKinds } from '../../kernel/kinds.ts'
import { triggerEvents } from '../../notify/trigger-event.ts'

/** A kind of event, as rules, hooks, the log and histories name it. */
interface EventKind {
  name: string
  /** The code in rules and hooks; null if they cannot use this kind. */
  code: number | null
  entity: string
  description: string
}

/** The kinds without a code, besides the four that every kind of record has. Append only. */
const additionalKinds: readonly (readonly [name: string, entity: string, description: string])[] = [
  ['annotation.reacted', 'Annotation', 'Somebody reacted to an annotation'],
  ['annotation.unreacted', 'Annotation', 'Somebody removed a reaction'],
  ['change.undone', 'Change', 'A change set was undone'],
  ['chat.becameItem', 'ChatMessage', 'A message became an item'],
  ['chat.edited', 'ChatMessage', 'A message was edited'],
  ['chat.takenBack', 'ChatMessage', 'A message was deleted'],
  ['cycle.reopened', 'Cycle', 'A cycle was reopened'],
  ['filter.changed', 'ContainerFilter', 'What a filter finds has changed'],
  ['hook.tested', 'Hook', 'A hook was tested'],
  ['item.archived', 'Item', 'An item was archived'],
  ['item.glassBroken', 'Item', 'Somebody used emergency access to an item and gave a reason'],
  ['item.unarchived', 'Item', 'An item is no longer archived'],
  ['item.unmerged', 'Item', 'A merge was undone'],
  ['scenario.changed', 'Scenario', 'The changes of a scenario changed'],
  ['scenario.dropped', 'Scenario', 'A scenario was dropped'],
  ['scenario.reopened', 'Scenario', 'A dropped scenario was reopened'],
  ['tenant.erased', 'Tenant', 'A closed tenant was erased'],
  ['tenant.retentionApplied', 'Tenant', 'What the tenant no longer keeps was removed'],
  ['ticket.forwarded', 'Annotation', 'A ticket was forwarded'],
  ['user.anonymised', 'User', 'A user was made anonymous'],
  ['user.calendarFeedCreated', 'User', 'An address of a calendar was created'],
  ['user.calendarFeedRevoked', 'User', 'An address of a calendar was revoked'],
  ['user.invitationAccepted', 'User', 'Somebody accepted an invitation'],
  ['user.passkeyAdded', 'User', 'A passkey was added'],
  ['user.passkeyRemoved', 'User', 'A passkey was removed'],
  ['user.passwordForgotten', 'User', 'A link for a new password was sent'],
  ['user.passwordChanged', 'User', 'A password changed'],
  ['user.recoveryCodeUsed', 'User', 'A recovery code replaced a code at sign-in'],
  ['user.recoveryCodesRenewed', 'User', 'The recovery codes were replaced'],
  ['user.secondFactorAdded', 'User', 'A second factor was set up'],
  ['user.secondFactorRemoved', 'User', 'A second factor was removed'],
  ['user.sessionEnded', 'User', 'A session of a user was ended'],
  ['user.sessionsEnded', 'User', 'The sessions of a user were ended'],
  ['user.consentRevoked', 'User', 'A user has taken back what a program may do for them'],
]

/** The kind of record of a coded event whose name does not contain it. */
const about: Readonly<Record<string, string>> = {
  any: '',
  'user.mentioned': 'Annotation',
  'chat.message': 'ChatMessage',
  'board.cardMoved': 'Item',
}

/** Every kind of event that the log can contain, by name. */
export function eventKinds(): EventKind[] {
  const all = new Map<string, EventKind>()
  for (const { entity, area } of allKinds())
    for (const verb of ['created', 'updated', 'deleted', 'restored']) {
      const name = `${area}.${verb}`
      all.set(name, { name, code: null, entity, description: `${entity} ${verb}` })
    }
  for (const [name, entity, description] of additionalKinds) all.set(name, { name, code: null, entity, description })
  const byArea = new Map(allKinds().map(({ area, entity }) => [area, entity]))
  for (const { code, name, label } of triggerEvents.meanings) {
    const entity = about[name] ?? byArea.get(name.split('.')[0] ?? '') ?? ''
    all.set(name, { name, code, entity, description: label })
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}
