import { call, type Item, type Time } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Play, Square, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useOffer } from '../../../../kernel/commands/keys.ts'
import { attempt } from '../../../../kernel/data/attempt.ts'
import { gantry } from '../../../../kernel/data/client.ts'
import { useAskedAt } from '../../../../kernel/data/live/queries.ts'
import { useNew, withNew } from '../../../../kernel/data/records/new-records.ts'
import { useSession } from '../../../../kernel/data/session/session.ts'
import { remember } from '../../../../kernel/data/undo.ts'
import { dayText, today } from '../../../../kernel/dates/days.ts'
import { durationText } from '../../../../kernel/dates/durations.ts'
import { Avatar, Button } from '../../../../kit/kit.tsx'
import { useUsers } from '../../../catalogue.ts'
import { toggleTimer } from '../../../timer.ts'
import { readWithItem, useCan } from '../../frame/open-item.ts'
import { Progress } from '../children.tsx'
import { say } from '../messages.ts'
import { Part } from '../part.tsx'
import { LogTime } from './log-time.tsx'
import { useTimer } from './use-timer.ts'

const shownAtMost = 50

/** The time that an item took: a timer, a line to log it, and the entries. */
export function TimeSpent({ item, folded }: { item: Item; folded: boolean }) {
  const client = useQueryClient()
  const [logging, setLogging] = useState(false)
  const queryKey = ['time', item.id]
  const { data: found = [] } = useQuery({
    ...readWithItem,
    queryKey,
    queryFn: ({ signal }) =>
      call(gantry, 'GET /time', { query: { itemId: item.id, limit: shownAtMost, sort: '-date' }, signal }),
  })
  const entries = withNew(found, useNew<Time>('Time', 'itemId', item.id, useAskedAt(queryKey)))
  const can = useCan(item.id)
  const running = useTimer(item.id)
  const spent = entries.reduce((sum, { minutes }) => sum + minutes, 0)
  const remove = async (entry: Time) => {
    await attempt(async () => {
      const { changeSet } = await call(gantry, 'DELETE /time/{id}', { path: { id: entry.id } }).withResponse()
      remember(changeSet, say.entryDeleted)
    })
    await client.invalidateQueries({ queryKey })
  }
  const estimate = item.estimateMinutes ?? 0
  return (
    <Part
      key={logging ? 'logging' : 'shown'}
      name={say.time}
      count={`${durationText(spent)}${estimate > 0 ? ` ${say.of(durationText(estimate))}` : ''}`}
      folded={folded && !logging}
      acts={
        can.log && (
          <>
            <Button look="ghost" aria-label={say.logTime} onClick={() => setLogging(!logging)}>
              {say.log}
            </Button>
            <Button keys="t" aria-pressed={running !== undefined} onClick={() => void toggleTimer(item.id)}>
              {running === undefined ? <Play className="ic" /> : <Square className="ic" />}
              {running === undefined ? say.start : `${say.stop} ${durationText(running)}`}
            </Button>
          </>
        )
      }
    >
      {logging && <LogTime item={item} onDone={() => setLogging(false)} />}
      {estimate > 0 && <Progress part={spent / estimate} />}
      <ul>
        {entries.map(entry => (
          <TimeLine key={entry.id} entry={entry} onRemove={() => remove(entry)} />
        ))}
      </ul>
    </Part>
  )
}

/** The key of the timer. It is offered with the title; the time spent is rendered later. */
export function TimerKey({ itemId }: { itemId: string }) {
  const can = useCan(itemId)
  useOffer(
    useMemo(() => {
      const run = () => void toggleTimer(itemId)
      return can.log ? [{ id: 'item.clock', title: say.timer, keys: 't', where: 'item', run }] : []
    }, [can.log, itemId]),
  )
  return null
}

function TimeLine({ entry, onRemove }: { entry: Time; onRemove: () => void }) {
  const users = useUsers()
  const { user } = useSession()
  const name = users.get(entry.userId)?.name ?? ''
  return (
    <li className="lnk">
      <Avatar id={entry.userId} name={name} />
      <span className="num">{durationText(entry.minutes)}</span>
      <bdi className="cut grow dim">{entry.note}</bdi>
      <span className="meta num">{entry.date && dayText(entry.date, today(user.timezone))}</span>
      {entry.userId === user.id && (
        <Button look="icon" aria-label={say.deleteEntry} onClick={onRemove}>
          <X className="ic" />
        </Button>
      )}
    </li>
  )
}
