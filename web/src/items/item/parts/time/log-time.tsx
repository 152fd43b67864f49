import { call, type Item, isProblem } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { gantry } from '../../../../kernel/data/client.ts'
import { useSession } from '../../../../kernel/data/session.ts'
import { remember } from '../../../../kernel/data/undo.ts'
import { today } from '../../../../kernel/dates/days.ts'
import { durationOf, durationText } from '../../../../kernel/dates/durations.ts'
import { Button } from '../../../../kit/kit.tsx'
import { say } from '../messages.ts'

/** Time that was worked on an item: how long, when, what. */
export function LogTime({ item, onDone }: { item: Item; onDone: () => void }) {
  const { user } = useSession()
  const client = useQueryClient()
  const [duration, setDuration] = useState('')
  const [date, setDate] = useState(today(user.timezone))
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const minutes = durationOf(duration)
    if (!minutes) return setProblem(say.noDuration)
    try {
      const body = { itemId: item.id, minutes, date, note }
      const { changeSet } = await call(gantry, 'POST /time', { body }).withResponse()
      remember(changeSet, say.logged(durationText(minutes)))
      await client.invalidateQueries({ queryKey: ['time', item.id] })
      onDone()
    } catch (error) {
      if (!isProblem(error)) throw error
      setProblem(error.Fields[0]?.Message ?? error.message)
    }
  }
  return (
    <form className="log-time" onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
        autoFocus
        className="input"
        aria-label={say.duration}
        placeholder={say.durationHint}
        value={duration}
        onChange={event => setDuration(event.target.value)}
      />
      <input
        type="date"
        className="input"
        aria-label={say.time}
        value={date}
        onChange={event => setDate(event.target.value)}
      />
      <input
        className="input"
        dir="auto"
        aria-label={say.note}
        placeholder={say.note}
        value={note}
        onChange={event => setNote(event.target.value)}
      />
      {problem && (
        <p className="why" role="alert">
          {problem}
        </p>
      )}
      <Button look="primary" type="submit">
        {say.log}
      </Button>
    </form>
  )
}
