import type { Item } from '@gantry/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { CircleCheck, Plus } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { run, usePossible } from '../../kernel/commands/commands.ts'
import { useSession } from '../../kernel/data/session/session.ts'
import { longDayText, today } from '../../kernel/dates/days.ts'
import { later } from '../../kernel/later.tsx'
import { number } from '../../kernel/messages/messages.ts'
import { ProblemScreen } from '../../kernel/problems/problem-screen.tsx'
import { shownError } from '../../kernel/problems/shown-error.ts'
import { Button, Screen, Skeleton } from '../../kit/kit.tsx'
import { ItemPeek } from '../item/frame/later-peek.ts'
import { say } from '../messages.ts'
import { useKeepOrder } from '../neighbours.ts'
import { type Section, sections, useWork, type WorkEntry } from './read-work.ts'
import { approve, useWorkCommands } from './work-commands.ts'
import { WorkRow } from './work-row.tsx'
import { WorkSide } from './work-side.tsx'

const FirstSteps = later(async () => (await import('../first-steps/first-steps.tsx')).FirstSteps)

const route = getRouteApi('/')

/** The entries of each section that are read at first, and at most. */
const firstEntries = 20
const maxEntries = 100

/** What a person has to do, all containers together. */
export function MyWork() {
  const { user } = useSession()
  const { peek } = route.useSearch()
  const navigate = route.useNavigate()
  const [limit, setLimit] = useState(firstEntries)
  const { data, error, isPending, refetch } = useWork(limit)
  const entries = useMemo(() => (data ? sections.flatMap(section => data.entries[section]) : []), [data])
  const count = data ? sections.reduce((sum, section) => sum + data.counts[section], 0) : 0
  const open = useCallback(
    (item: Item) => void navigate({ search: { peek: item.key ?? item.id }, replace: true }),
    [navigate],
  )
  const close = useCallback(() => void navigate({ search: {}, replace: true }), [navigate])
  useWorkCommands(entries, open, close)
  useKeepOrder(useMemo(() => entries.map(({ id }) => id), [entries]))
  return (
    <>
      <header className="bar wide">
        <h1 className="grow">{say.myWork}</h1>
        <NewItem />
      </header>
      <div className={peek ? 'split' : 'work'}>
        <div className="col1 scroll">
          <div className="page-h">
            <h2>{longDayText(today(user.timezone))}</h2>
            <p>{count > 0 && say.toDo(count)}</p>
          </div>
          <FirstSteps />
          {isPending && <Skeleton />}
          {shownError({ data, error }) && <ProblemScreen error={error} onRetry={() => void refetch()} />}
          {data && entries.length === 0 && (
            <Screen icon={<CircleCheck />} title={say.allDone} text={say.allDoneText}>
              <NewItem />
            </Screen>
          )}
          {data &&
            sections.map(section => (
              <WorkSection
                key={section}
                section={section}
                entries={data.entries[section]}
                count={data.counts[section]}
                onOpen={open}
                onMore={limit < maxEntries ? () => setLimit(maxEntries) : undefined}
              />
            ))}
        </div>
        {peek ? <ItemPeek itemKey={peek} onMove={open} onClose={close} /> : <WorkSide recent={data?.recent ?? []} />}
      </div>
    </>
  )
}

function NewItem() {
  const create = usePossible('create')
  if (!create) return null
  return (
    <Button look="primary" onClick={() => run(create)}>
      <Plus className="ic" /> {say.new} <CommandKeys id="create" />
    </Button>
  )
}

const titles: Record<Section, () => string> = {
  now: () => say.now,
  overdue: () => say.overdue,
  waiting: () => say.waiting,
  soon: () => say.soon,
  later: () => say.later,
}

interface SectionProps {
  section: Section
  entries: readonly WorkEntry[]
  /** Also of those that are not listed. */
  count: number
  onOpen: (item: Item) => void
  onMore: (() => void) | undefined
}

function WorkSection({ section, entries, count, onOpen, onMore }: SectionProps) {
  if (entries.length === 0) return null
  const rest = count - entries.length
  const title = titles[section]()
  return (
    <section className="sec" aria-label={title}>
      <h2>
        {title} <span className="count">{number(count)}</span>
      </h2>
      <div role="table" aria-label={title} aria-rowcount={count}>
        {entries.map(entry => (
          <WorkRow
            key={entry.approvalId ?? entry.id}
            entry={entry}
            onOpen={onOpen}
            onApprove={each => void approve(each)}
          />
        ))}
      </div>
      {rest > 0 && (
        <p className="more">
          {onMore ? (
            <Button look="ghost" onClick={onMore}>
              {say.showMore(rest)}
            </Button>
          ) : (
            say.notListed(rest)
          )}
        </p>
      )}
    </section>
  )
}
