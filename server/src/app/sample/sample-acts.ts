import type { ItemPatch } from '../../items/item-body/item-body.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import type { SampleWorld } from './make-places.ts'
import { type PlaceName, statesOf } from './rows/sample-processes.ts'
import type { SampleComment, SampleItem } from './rows/sample-rows.ts'
import { type PersonName, people } from './rows/sample-texts.ts'
import { dayOf, momentOf, workday } from './sample-moments.ts'

/** An item of the sample at its place; `itemId` is set when it is created. */
export interface PlayedItem extends SampleItem {
  place: PlaceName
  itemId?: Id
}

/** The name in the rows of whoever loads the sample, so that their first page has work on it. */
export const loader = 'me'

/** What a person does at a moment; without a person, whoever loads the sample does it. */
export type Act = { at: Date; who: PersonName | undefined } & (
  | { does: 'create'; item: PlayedItem }
  | { does: 'turn'; run: (ctx: Context) => Promise<unknown> }
  | { does: 'change'; item: PlayedItem; patch: ItemPatch }
  | { does: 'comment'; item: PlayedItem; said: SampleComment }
)

/** The order of what is done at the same moment. */
const order: Readonly<Record<Act['does'], number>> = { create: 0, turn: 1, change: 2, comment: 3 }

export function inOrder(acts: readonly Act[]): Act[] {
  return acts.toSorted((a, b) => a.at.getTime() - b.at.getTime() || order[a.does] - order[b.does])
}

/** The acts of the same kind that one person does at the same moment, one after another. */
export function* together(acts: readonly Act[]): Generator<[Act, ...Act[]]> {
  let group: [Act, ...Act[]] | undefined
  for (const act of acts) {
    const [first] = group ?? []
    if (group && first && first.does === act.does && first.who === act.who && +first.at === +act.at) group.push(act)
    else {
      if (group) yield group
      group = [act]
    }
  }
  if (group) yield group
}

/** The hours of a day at which items reach a state, and at which comments are written. */
const stateHours: Readonly<Record<string, number>> = { p: 10, r: 13, w: 14, d: 16 }
const commentHours: Readonly<Record<string, number>> = { m: 9, r: 11, n: 15 }
const [creationHour, bookingHour, noon] = [8, 17, 12]

/** What is done about an item, from its creation on. */
export function actsOf(now: Date, { language, people: ids }: SampleWorld, item: PlayedItem): Act[] {
  const { steps, times, comments, place } = item
  const who = personNamed(item.assignee)
  const states = new Map(statesOf(place))
  const [first = { ago: { days: 0 } }, ...later] = steps
  return [
    { does: 'create', at: momentOf(now, first.ago, creationHour), who: personNamed(item.requester) ?? who, item },
    ...later.map(({ state, ago }): Act => {
      const patch = { status: states.get(state)?.name[language] ?? '' }
      return { does: 'change', at: momentOf(now, ago, stateHours[state] ?? noon), who, item, patch }
    }),
    ...times.map(({ minutes, daysAgo }): Act => {
      const entry = { userId: who ? ids[who] : '', date: workday(dayOf(now), -daysAgo).toString(), minutes }
      return {
        does: 'change',
        at: momentOf(now, { days: daysAgo }, bookingHour),
        who,
        item,
        patch: { Time: [entry] },
      }
    }),
    ...comments.map((said): Act => {
      const at = momentOf(now, said.ago, commentHours[said.kind] ?? noon)
      return { does: 'comment', at, who: personNamed(said.who), item, said }
    }),
  ]
}

export function personNamed(text: string | undefined): PersonName | undefined {
  return Object.keys(people).find((each): each is PersonName => each === text)
}
