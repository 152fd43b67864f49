import type { Item } from '@gantry/sdk'
import { type FormEvent, useState } from 'react'
import { soon } from '../../../../kernel/data/client.ts'
import { useDraft } from '../../../../kernel/data/kept/drafts.ts'
import { newId } from '../../../../kernel/data/records/ids.ts'
import { useSession } from '../../../../kernel/data/session/session.ts'
import { createRecord, useOutcomes } from '../../../../kernel/data/updates.ts'
import { today } from '../../../../kernel/dates/days.ts'
import { durationOf, durationText } from '../../../../kernel/dates/durations.ts'
import { Button } from '../../../../kit/kit.tsx'
import { say } from '../messages.ts'

interface Entered {
  duration: string
  date: string
  note: string
}

/** Time that was worked on an item: how long, when, what. */
export function LogTime({ item, onDone }: { item: Item; onDone: () => void }) {
  const { user } = useSession()
  const place = `time ${item.id}`
  const nothing: Entered = { duration: '', date: today(user.timezone), note: '' }
  const { value: entered, set: setEntered, clear } = useDraft(place, nothing)
  const { duration, date, note } = entered
  const [problem, setProblem] = useState('')
  const refusal = useOutcomes(({ refused }) => refused.get(place))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const minutes = durationOf(duration)
    if (!minutes) return setProblem(say.noDuration)
    setProblem('')
    const body = { itemId: item.id, minutes, date, note }
    const record = { ...body, entity: 'Time', id: newId(), userId: user.id }
    const text = say.logged(durationText(minutes))
    const draft = { place, value: entered }
    const result = await soon(createRecord({ record, route: 'POST /time', body, draft, text }))
    if (result !== 'waits' && result.problem) return
    clear()
    onDone()
  }
  const why = problem || (refusal?.Fields[0]?.Message ?? refusal?.message)
  return (
    <form className="log-time" onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
        autoFocus
        className="input"
        aria-label={say.duration}
        placeholder={say.durationHint}
        value={duration}
        onChange={event => setEntered({ ...entered, duration: event.target.value })}
      />
      <input
        type="date"
        className="input"
        aria-label={say.time}
        value={date}
        onChange={event => setEntered({ ...entered, date: event.target.value })}
      />
      <input
        className="input"
        dir="auto"
        aria-label={say.note}
        placeholder={say.note}
        value={note}
        onChange={event => setEntered({ ...entered, note: event.target.value })}
      />
      {why && (
        <p className="why" role="alert">
          {why}
        </p>
      )}
      <Button look="primary" type="submit">
        {say.log}
      </Button>
    </form>
  )
}
