import { triggerEvent } from '../codes.ts'

const labels = new Map([
  ...triggerEvent.meanings.map(({ name, label }) => [name, label] as const),
  ['filter.entered', 'Came into a filter that you watch'],
  ['filter.left', 'Left a filter that you watch'],
  ['rule.notified', 'A rule tells you'],
  ['notification.ran', 'A question was answered'],
  ['container.updated', 'Container changed'],
  ['area.updated', 'Area changed'],
])

/** What people call an event. */
export const labelOf = (name: string): string => labels.get(name) ?? name

/** The names that choices can be made by. */
export const knownEvents: readonly string[] = [...labels.keys()].filter(name => name !== 'any')

const reasons: Readonly<Record<number, string>> = {
  0: 'You get this because you watch it',
  1: 'You get this because you are its author or requester',
  2: 'You get this because you are assigned to it',
  3: 'You get this because you were mentioned',
  4: 'You get this because you took part in the conversation',
  5: 'You get this because a rule says so',
  6: 'You get this because your group watches it',
  7: 'You get this because you are in copy',
}

export const whyOf = (reason: number): string => reasons[reason] ?? 'You get this because you watch it'
