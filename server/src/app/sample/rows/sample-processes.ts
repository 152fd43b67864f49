import { statusCategory } from '../../../containers/status-category.ts'
import type { Texts } from './sample-rows.ts'
import { desk, operations, software } from './sample-texts.ts'

interface SampleState {
  name: Texts
  category: number
  pausesClock?: boolean
  /** How many cards the column of the board should have at most. */
  limit?: number
}

const state = (en: string, de: string, category: number, more: Omit<SampleState, 'name' | 'category'> = {}) => ({
  name: { en, de },
  category,
  ...more,
})

const { backlog, unstarted, started, waiting, done } = statusCategory

/** The places of work with the states of their items; the letters are those of the rows. */
export const places = {
  desk: {
    ...desk,
    states: {
      n: state('New', 'Neu', unstarted),
      p: state('In progress', 'In Bearbeitung', started),
      w: state('Waiting for customer', 'Wartet auf Kunde', waiting, { pausesClock: true }),
      d: state('Solved', 'Gelöst', done),
    },
  },
  software: {
    ...software,
    states: {
      b: state('Backlog', 'Backlog', backlog),
      t: state('To do', 'Zu tun', unstarted),
      p: state('In progress', 'In Arbeit', started, { limit: 4 }),
      r: state('Review', 'Review', started, { limit: 2 }),
      d: state('Done', 'Fertig', done),
    },
  },
  operations: {
    ...operations,
    states: {
      t: state('To do', 'Zu tun', unstarted),
      p: state('In progress', 'In Arbeit', started, { limit: 5 }),
      d: state('Done', 'Erledigt', done),
    },
  },
} as const

export type PlaceName = keyof typeof places

export function statesOf(place: PlaceName): [letter: string, state: SampleState][] {
  return Object.entries(places[place].states)
}
