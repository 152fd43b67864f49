import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { CommandKeys } from '../kernel/commands/command-keys.tsx'
import { dismiss, undoStep, useUndo } from '../kernel/data/undo.ts'
import { Button } from '../kit/kit.tsx'
import { say } from './messages.ts'

const shownFor = 10_000

/** The last thing that happened, and the way back. It stays while somebody points at it or is in it. */
export function Toast() {
  const notice = useUndo(state => state.notice)
  const step = notice?.step
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (!notice || held) return
    const timer = setTimeout(dismiss, shownFor)
    return () => clearTimeout(timer)
  }, [notice, held])
  return (
    <section
      className="toasts"
      aria-label={say.notices}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="status" aria-live="polite">
        {notice && (
          <div className="toast">
            <bdi className="cut">{notice.text}</bdi>
            {notice.conflicts ? <span className="is-warn">{say.conflicts(notice.conflicts)}</span> : null}
            {step && (
              <Button onClick={() => undoStep(step)}>
                {say.undo} <CommandKeys id="undo" />
              </Button>
            )}
            <Button look="icon" aria-label={say.close} onClick={dismiss}>
              <X className="ic" />
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
