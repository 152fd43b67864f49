import { call, type Item, type ItemClock, type ItemClockExplained } from '@gantry/sdk'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gantry } from '../../../../kernel/data/client.ts'
import { useSession } from '../../../../kernel/data/session/session.ts'
import { momentText } from '../../../../kernel/dates/days.ts'
import { ClockBadge } from '../../../clock-badge.tsx'
import { say } from '../messages.ts'
import { ClockPause } from './clock-command.tsx'
import { ClockStrip } from './clock-strip.tsx'
import { clockText, clockTone, promiseText } from './clock-text.ts'

const everyMs = 60_000

/** What was promised about an item: how much time is left, and which time counted. */
export function Clocks({ item }: { item: Item }) {
  const { data: clocks = [] } = useQuery({
    queryKey: ['clocks', item.id, item.version],
    enabled: useHasClocks(item.id),
    refetchInterval: everyMs,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/clock', { path: { id: item.id }, signal }),
  })
  const [shown, setShown] = useState<string>()
  if (clocks.length === 0) return null
  return (
    <section className="sect" aria-label={say.clocks}>
      <div className="sect-h">{say.clocks}</div>
      {clocks.map(clock => {
        const id = `${clock.clockId} ${clock.targetId} ${clock.cycle}`
        return (
          <div key={id}>
            <button
              type="button"
              className="lnk"
              aria-expanded={shown === id}
              onClick={() => setShown(shown === id ? undefined : id)}
            >
              <span className="soft grow">{promiseText(clock.kind)}</span>
              <ClockBadge tone={clockTone(clock.state)} text={clockText(clock)} />
            </button>
            {shown === id && (
              <>
                <Explained item={item} clock={clock} />
                <ClockPause item={item} clock={clock} />
              </>
            )}
          </div>
        )
      })}
    </section>
  )
}

/** Most items have no clock, and those that have none are not asked for it. */
const useHasClocks = (itemId: string): boolean =>
  useQuery<boolean>({ queryKey: ['has-clocks', itemId], queryFn: skipToken }).data ?? true

function Explained({ item, clock }: { item: Item; clock: ItemClock }) {
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['explained', item.id, clock.clockId, item.version],
    queryFn: ({ signal }) =>
      call(gantry, 'GET /item/{id}/clock/{clockId}/explain', { path: { id: item.id, clockId: clock.clockId }, signal }),
  })
  const run = data?.find((each: ItemClockExplained) => each.targetId === clock.targetId && each.cycle === clock.cycle)
  if (!run?.intervals) return null
  return (
    <>
      <ClockStrip intervals={run.intervals} dueAt={clock.dueAt} />
      <ul className="why-list" aria-label={say.why}>
        {run.intervals.slice(-6).map(({ from, to, reason, counted }) => (
          <li key={from} className={counted ? '' : 'dim'}>
            {momentText(from, user.timezone)} – {momentText(to, user.timezone)} · <bdi>{reason}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}
