import type { Temporal } from 'temporal-polyfill'
import { cycles, rollovers } from '../../containers/cycle/cycle.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { finish, start } from '../../planning/cycle/cycle-lifecycle.ts'
import type { SampleWorld } from './make-places.ts'
import { requestOf } from './operation-request.ts'
import { places } from './rows/sample-processes.ts'
import { dayOf, mondayOf } from './sample-moments.ts'

/** A cycle starts or is finished at a moment. */
interface CycleTurn {
  at: Date
  run(ctx: Context): Promise<unknown>
}

const days = 11
const at = (day: Temporal.PlainDate, time: string) => new Date(`${day.toString()}T${time}:00.000Z`)

/** Plans three cycles of two weeks: one that is over, the present one, and the next; returns their ids and turns. */
export async function planCycles(
  ctx: Context,
  { language, containers }: SampleWorld,
  now: Date,
): Promise<{ ids: Id[]; turns: CycleTurn[] }> {
  const ids: Id[] = []
  const turns: CycleTurn[] = []
  const { goals, cycle } = places.software
  for (const [i, goal] of goals.entries()) {
    const from = mondayOf(dayOf(now)).subtract({ weeks: 3 - 2 * i })
    const to = from.add({ days })
    const { id } = await cycles.create(ctx, {
      containerId: containers.software,
      number: i + 1,
      name: `${cycle[language]} ${i + 1}`,
      goal: goal[language],
      startDate: from.toString(),
      endDate: to.toString(),
      rollover: rollovers.backlog,
      capacityMinutes: 4800,
    })
    ids.push(id)
    const started = at(from, '09:00')
    const finished = at(to, '17:00')
    if (started < now) turns.push({ at: started, run: inner => start.run(inner, requestOf({}, { id })) })
    if (finished < now && i === 0)
      turns.push({ at: finished, run: inner => finish.run(inner, requestOf({ rollover: rollovers.backlog }, { id })) })
  }
  return { ids, turns }
}
