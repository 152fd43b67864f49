import { call, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { stopTimer } from '../../items/timer.ts'
import { gantry } from '../../kernel/data/client.ts'
import { put, useRecord } from '../../kernel/data/records/store.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { clockText, minutesSince } from '../../kernel/dates/durations.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'

const tick = 10_000

/** The timer that runs, what it runs on, and the way to stop it. */
export function RunningTimer() {
  const { timer } = useSession()
  if (!timer?.startedAt) return null
  return <Timer key={timer.id} itemId={timer.itemId} note={timer.note} startedAt={timer.startedAt} />
}

function Timer({ itemId, note, startedAt }: { itemId: string; note: string; startedAt: string }) {
  const item = useTimedItem(itemId)
  const [minutes, setMinutes] = useState(() => minutesSince(startedAt))
  useEffect(() => {
    const timer = setInterval(() => setMinutes(minutesSince(startedAt)), tick)
    return () => clearInterval(timer)
  }, [startedAt])
  return (
    <div className="timer" role="group" aria-label={say.timer(item?.key ?? note)}>
      <span className="tdot" />
      {item ? (
        <Link to="/item/$key" params={{ key: item.key ?? item.id }} className="grow cut plain">
          <span className="key">{item.key}</span> <bdi>{item.title}</bdi>
        </Link>
      ) : (
        <bdi className="grow cut">{note}</bdi>
      )}
      <span className="num mid">{clockText(minutes)}</span>
      <Button look="icon" aria-label={say.stopTimer} title={say.stopTimer} onClick={() => void stopTimer()}>
        <Square className="ic stop" />
      </Button>
    </div>
  )
}

function useTimedItem(itemId: string): Item | undefined {
  useQuery({
    queryKey: ['timed', itemId],
    enabled: itemId !== '',
    queryFn: async ({ signal }) => {
      put(await call(gantry, 'GET /item/{id}', { path: { id: itemId }, signal }))
      return itemId
    },
  })
  return useRecord<Item>('Item', itemId)
}
