import { leaveState } from '../admin/leave/leave.ts'
import type { Changes } from '../kernel/events.ts'
import { triggerEvent, triggerEvents } from './trigger-event.ts'

/** The part of an event that determines its names. */
export interface NamedEvent {
  readonly kind: string
  readonly changes: Changes
}

/** The more specific names of an event, by what it changed. */
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
  'leave.created': [['leave.requested', ({ state }) => state === undefined]],
  'leave.updated': [
    ['leave.requested', ({ state }) => state?.to === leaveState.requested],
    ['leave.decided', ({ state }) => state !== undefined && state.to !== leaveState.requested],
  ],
  'plan.created': [['plan.changed', () => true]],
  'plan.updated': [['plan.changed', () => true]],
  'plan.deleted': [['plan.changed', () => true]],
}

/** Returns all names of an event: its own, and the more specific ones. Hooks, rules and notifications use the same names. */
export function namesOf({ kind, changes }: NamedEvent): string[] {
  return [kind, ...(within[kind] ?? []).filter(([, holds]) => holds(changes)).map(([name]) => name)]
}

const codes = new Map(triggerEvents.meanings.map(({ code, name }) => [name, code]))

/** Returns the same names as codes of `triggerEvent`, with the code of any event. */
export function codesOf(event: NamedEvent): number[] {
  return [triggerEvent.any, ...namesOf(event).flatMap(name => codes.get(name) ?? [])]
}

/** Whether the list has an element that it did not have before. */
function gained(change: { from?: unknown; to?: unknown } | undefined): boolean {
  const [from, to] = [change?.from, change?.to].map(each => (Array.isArray(each) ? each : []))
  return to?.some(id => !from?.includes(id)) ?? false
}
