import type { RuleLogEntry } from '@gantry/sdk'
import { Check, X } from 'lucide-react'
import { say } from './messages.ts'

/** Why a rule acted: its conditions, each with what it found. */
export function Why({ entry }: { entry: RuleLogEntry | undefined }) {
  if (!entry) return <p className="meta">{say.noReason}</p>
  return (
    <ul className="why-list" aria-label={say.whyTitle}>
      {entry.conditions.map(({ id, leftSide, left, rightSide, outcome }) => (
        <li key={id} className="hstack">
          {outcome ? <Check className="ic ic-s is-good" /> : <X className="ic ic-s is-bad" />}
          <bdi>
            {leftSide}: {left ?? '–'} · {rightSide}
          </bdi>
        </li>
      ))}
      {entry.error && <li className="why">{entry.error}</li>}
    </ul>
  )
}
