import type { Changes } from '../kernel/events.ts'
import { triggerEvents } from './trigger-event.ts'

/** As much of an event as its names depend on. */
export interface NamedEvent {
  readonly kind: string
  readonly changes: Changes
}

/** What an update is called besides, by what it changed. */
const within: Record<string, readonly (readonly [name: string, holds: (changes: Changes) => boolean])[]> = {
  'item.created': [['item.assigned', changes => gained(changes.assignees)]],
  'item.updated': [
    ['item.transitioned', ({ status, statusCategory }) => status !== undefined || statusCategory !== undefined],
    ['item.assigned', ({ assignees }) => gained(assignees)],
    ['item.moved', ({ containerId }) => containerId !== undefined],
    ['item.closed', ({ closedAt }) => closedAt !== undefined && !closedAt.from && !!closedAt.to],
    ['item.reopened', ({ closedAt }) => closedAt !== undefined && !!closedAt.from && !closedAt.to],
    ['item.labelled', ({ labels }) => labels !== undefined],
  ],
  'document.updated': [['document.archived', ({ archived }) => archived?.to === true]],
  'user.updated': [['user.deactivated', ({ active }) => active?.to === false]],
  'file.created': [['file.uploaded', () => true]],
  'plan.created': [['plan.changed', () => true]],
  'plan.updated': [['plan.changed', () => true]],
  'plan.deleted': [['plan.changed', () => true]],
}

/** All names that an event goes by: its own, and the more telling ones that it implies. One place for hooks, rules and notifications. */
export function namesOf({ kind, changes }: NamedEvent): string[] {
  return [kind, ...(within[kind] ?? []).filter(([, holds]) => holds(changes)).map(([name]) => name)]
}

const codes = new Map(triggerEvents.meanings.map(({ code, name }) => [name, code]))

/** The same as codes of `triggerEvent`; 0, anything, is among them always. */
export function codesOf(event: NamedEvent): number[] {
  return [0, ...namesOf(event).flatMap(name => codes.get(name) ?? [])]
}

/** Somebody is in the list who was not before. */
function gained(change: { from?: unknown; to?: unknown } | undefined): boolean {
  const [from, to] = [change?.from, change?.to].map(each => (Array.isArray(each) ? each : []))
  return to?.some(id => !from?.includes(id)) ?? false
}
