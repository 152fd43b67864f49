import { call, codes, type Item, type ItemClock } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Pause, Play } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { reasonOf } from '../../../../kernel/data/attempt.ts'
import { gantry } from '../../../../kernel/data/client.ts'
import { notify } from '../../../../kernel/data/undo.ts'
import { Button } from '../../../../kit/kit.tsx'
import { useIsReadOnly } from '../../use-item.ts'
import { say } from '../messages.ts'

const { clockState } = codes

/** Pauses a clock that runs, or resumes one that is paused. The reason is asked for, and kept in the history. */
export function ClockPause({ item, clock }: { item: Item; clock: ItemClock }) {
  const [isAsking, setAsking] = useState(false)
  const isPaused = clock.state === clockState.paused
  const isRunning = [clockState.green, clockState.amber, clockState.red].some(state => state === clock.state)
  if (useIsReadOnly(item) || !(isPaused || isRunning)) return null
  if (isAsking) return <ReasonForm item={item} clock={clock} isPaused={isPaused} onDone={() => setAsking(false)} />
  return (
    <Button look="ghost" onClick={() => setAsking(true)}>
      {isPaused ? <Play className="ic" /> : <Pause className="ic" />} {isPaused ? say.resumeClock : say.pauseClock}
    </Button>
  )
}

interface ReasonProps {
  item: Item
  clock: ItemClock
  isPaused: boolean
  onDone: () => void
}

function ReasonForm({ item, clock, isPaused, onDone }: ReasonProps) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() === '') return setProblem(say.noReason)
    const request = { path: { id: item.id, clockId: clock.clockId }, body: { reason: reason.trim() } }
    try {
      if (isPaused) await call(gantry, 'POST /item/{id}/clock/{clockId}/resume', request)
      else await call(gantry, 'POST /item/{id}/clock/{clockId}/pause', request)
    } catch (error) {
      return setProblem(reasonOf(error))
    }
    notify(isPaused ? say.clockResumed : say.clockPaused)
    for (const part of ['clocks', 'explained', 'changes']) void client.invalidateQueries({ queryKey: [part, item.id] })
    onDone()
  }
  return (
    <form className="log-time" onSubmit={submit}>
      <input
        // biome-ignore lint/a11y/noAutofocus: it opens because somebody asked for it
        autoFocus
        className="input"
        dir="auto"
        aria-label={say.reason}
        placeholder={say.reasonHint}
        value={reason}
        onChange={event => setReason(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onDone()
        }}
      />
      {problem && (
        <p className="why" role="alert">
          {problem}
        </p>
      )}
      <Button look="primary" type="submit">
        {isPaused ? say.resumeClock : say.pauseClock}
      </Button>
    </form>
  )
}
