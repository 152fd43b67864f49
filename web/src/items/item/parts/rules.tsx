import type { Item } from '@gantry/sdk'
import { useState } from 'react'
import { useSession } from '../../../kernel/data/session/session.ts'
import { momentText } from '../../../kernel/dates/days.ts'
import { useRuleLog } from '../conversation/use-conversation.ts'
import { Why } from '../conversation/why.tsx'
import { say } from './messages.ts'
import { Part } from './part.tsx'

/** The outcomes of a rule, in the order of their codes. */
const outcomes = () => [say.ruleDidNot, say.ruleActed, say.ruleNothing, say.ruleFailed, say.ruleLimit, say.ruleSkipped]

/** The rules that looked at an item: also those that did nothing, and why. */
export function RulesThatLooked({ item }: { item: Item }) {
  const log = useRuleLog(item.id, true)
  const [open, setOpen] = useState<string>()
  const { user } = useSession()
  if (log.length === 0) return null
  return (
    <Part name={say.rules} count={log.length} folded>
      <ul>
        {log.map(entry => (
          <li key={entry.id}>
            <button
              type="button"
              className="lnk"
              aria-expanded={open === entry.id}
              onClick={() => setOpen(open === entry.id ? undefined : entry.id)}
            >
              <bdi className="cut grow">{entry.ruleName}</bdi>
              <span className="dim">{outcomes()[entry.outcome]}</span>
              <span className="meta num">{momentText(entry.at, user.timezone)}</span>
            </button>
            {open === entry.id && <Why entry={entry} />}
          </li>
        ))}
      </ul>
    </Part>
  )
}
