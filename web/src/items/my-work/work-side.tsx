import { call, type Item } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gantry } from '../../kernel/data/client.ts'
import { useLiveList } from '../../kernel/data/live/live-list.ts'
import { useRecord } from '../../kernel/data/records/store.ts'
import { useMaySomewhere } from '../../kernel/data/session/may.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { today } from '../../kernel/dates/days.ts'
import { clockText, minutesSince } from '../../kernel/dates/durations.ts'
import { StatusIcon } from '../../kit/icons.tsx'
import { isOpen, shapeOf } from '../catalogue.ts'
import { startKey } from '../first-steps/start-here.ts'
import { say } from '../messages.ts'

/** Beside my work: the day, the first steps of somebody who is new, and what was worked on last. */
export function WorkSide({ recent }: { recent: readonly string[] }) {
  const mayBook = useMaySomewhere('time.create')
  const mayCreate = useMaySomewhere('item.create')
  return (
    <aside className="col2" aria-label={say.today}>
      {mayBook && <Today />}
      {mayCreate && <StartHere />}
      <Recent ids={recent.slice(0, shownRecent)} />
    </aside>
  )
}

/** The hours of today, with the timer that runs. */
function Today() {
  const { user, timer } = useSession()
  const date = today(user.timezone)
  const queryKey = ['my-day', date]
  useLiveList(queryKey, { entity: 'Time' })
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const week = await call(gantry, 'GET /time/week/{date}', { path: { date }, signal })
      return week.days.find(day => day.date === date) ?? null
    },
  })
  if (!data) return null
  const running = timer?.startedAt ? minutesSince(timer.startedAt) : 0
  const worked = data.totalSeconds / 60
  const capacity = data.capacitySeconds / 60
  const whole = Math.max(capacity, worked + running, 1)
  return (
    <section className="sect" aria-label={say.today}>
      <h2>
        <span className="grow">{say.today}</span>
        <span className="num mid">{clockText(worked + running)}</span>
        <span className="dim num">{say.of(clockText(capacity))}</span>
      </h2>
      <div className="day" role="img" aria-label={`${clockText(worked + running)} ${say.of(clockText(capacity))}`}>
        <i ref={width(worked / whole)} />
        <i className="run" ref={width(running / whole)} />
      </div>
    </section>
  )
}

const width = (share: number) => (element: HTMLElement | null) => {
  if (element) element.style.width = `${Math.round(share * 1000) / 10}%`
}

function StartHere() {
  const { containers } = useSession()
  const container = containers.find(({ key }) => key === startKey)
  const queryKey = ['start-here', container?.id]
  useLiveList(queryKey, { entity: 'Item', containerId: container?.id })
  const { data = [] } = useQuery({
    queryKey,
    enabled: container !== undefined,
    queryFn: ({ signal }) => {
      const fields = 'key,title,status,statusCategory'
      return call(gantry, 'GET /item', {
        query: { containerId: container?.id ?? '', sort: 'rank', limit: 20, fields },
        signal,
      })
    },
  })
  const done = data.filter(({ statusCategory }) => !isOpen(statusCategory))
  if (data.length === 0 || done.length === data.length) return null
  return (
    <section className="sect" aria-label={say.startHere}>
      <h2>
        <span className="grow">{say.startHere}</span>
        <span className="count">{say.outOf(done.length, data.length)}</span>
      </h2>
      {data.map(item => (
        <ItemLink key={item.id} item={item} />
      ))}
    </section>
  )
}

const shownRecent = 6

function Recent({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <section className="sect" aria-label={say.recent}>
      <h2>{say.recent}</h2>
      {ids.map(id => (
        <HeldItemLink key={id} id={id} />
      ))}
    </section>
  )
}

function HeldItemLink({ id }: { id: string }) {
  const item = useRecord<Item>('Item', id)
  return item ? <ItemLink item={item} /> : null
}

function ItemLink({ item }: { item: Item }) {
  return (
    <Link to="/item/$key" params={{ key: item.key ?? item.id }} className="tick plain">
      <StatusIcon shape={shapeOf(item.statusCategory)} label={item.status ?? ''} />
      <bdi className={isOpen(item.statusCategory) ? '' : 'dim'}>{item.title}</bdi>
    </Link>
  )
}
