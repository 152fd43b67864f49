import { call, type FreshCalendarFeed } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarDays, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { attempt } from '../../kernel/data/attempt.ts'
import { gantry } from '../../kernel/data/client.ts'
import { Button } from '../../kit/kit.tsx'
import { say } from './messages.ts'
import { Ask, Once, Sect } from './parts.tsx'

const queryKey = ['calendar-feeds']

/** Addresses for calendar programs. Each is a credential: it is shown once and can be removed. */
export function Feeds() {
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [fresh, setFresh] = useState<FreshCalendarFeed>()
  const { data } = useQuery({ queryKey, queryFn: () => call(gantry, 'GET /user/me/calendar-feed') })
  if (!data) return null
  const refetch = () => client.invalidateQueries({ queryKey })
  const create = (name: string) =>
    attempt(async () => {
      setAsking(false)
      setFresh(await call(gantry, 'POST /user/me/calendar-feed', { body: { name } }))
      await refetch()
    })
  const remove = (feedId: string) =>
    attempt(async () => {
      await call(gantry, 'DELETE /user/me/calendar-feed/{feedId}', { path: { feedId } })
      await refetch()
    })
  return (
    <Sect title={say.feeds} action={!isAsking && <Button onClick={() => setAsking(true)}>{say.newFeed}</Button>}>
      {isAsking && <Ask label={say.feedName} onDone={name => void create(name)} onCancel={() => setAsking(false)} />}
      {fresh && <Once title={fresh.name} secret={fresh.url} onDone={() => setFresh(undefined)} />}
      {data.length === 0 && <p className="hint">{say.noFeeds}</p>}
      {data.map(feed => (
        <div key={feed.id} className="pkey">
          <CalendarDays className="ic" />
          <bdi className="cut">{feed.name}</bdi>
          <Button look="icon" aria-label={say.remove(feed.name)} onClick={() => void remove(feed.id)}>
            <Trash2 className="ic" />
          </Button>
        </div>
      ))}
    </Sect>
  )
}
