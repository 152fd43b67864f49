import { ChevronDown, ChevronRight } from 'lucide-react'
import { CommandKeys } from '../../kernel/commands/command-keys.tsx'
import { durationText } from '../../kernel/dates/durations.ts'
import { number } from '../../kernel/messages/messages.ts'
import { say } from '../messages.ts'
import type { Section } from './sections.ts'

interface GroupProps {
  section: Section
  isCollapsed: boolean
  /** Where the group begins and ends: its heading stays in sight as long as one of its items does. */
  top: number
  bottom: number
  onToggle: () => void
}

/** The heading of a group: its value, how many items have it, and what they cost. */
export function GroupRow({ section, isCollapsed, top, bottom, onToggle }: GroupProps) {
  const { label, icon, count } = section
  const Chevron = isCollapsed ? ChevronRight : ChevronDown
  return (
    <div
      role="presentation"
      className="group-span"
      ref={element => {
        if (!element) return
        // Not a transform: what is sticky does not know of it.
        element.style.top = `${top}px`
        element.style.height = `${bottom - top}px`
      }}
    >
      <div role="row" tabIndex={-1} className="group">
        <span role="gridcell" tabIndex={-1} className="group-cell">
          <button type="button" className="group-name" aria-expanded={!isCollapsed} onClick={onToggle}>
            <Chevron className="ic" />
            {icon}
            <bdi className="cut">{label}</bdi>
            <span className="count">{number(count)}</span>
          </button>
          <Sums section={section} />
        </span>
      </div>
    </div>
  )
}

function Sums({ section: { estimate, spent } }: { section: Pick<Section, 'estimate' | 'spent'> }) {
  if (estimate === 0 && spent === 0) return null
  return (
    <span className="sum">
      {spent > 0 && <span className="dim">{say.spentOf(durationText(spent))} </span>}
      {estimate > 0 ? durationText(estimate) : '–'}
    </span>
  )
}

/** The foot of a list: how many items there are, and the sums of all. */
export function ListFoot({ sections }: { sections: readonly Section[] }) {
  const sum = (read: (section: Section) => number) => sections.reduce((total, each) => total + read(each), 0)
  const [count, estimate, spent] = [sum(each => each.count), sum(each => each.estimate), sum(each => each.spent)]
  return (
    <footer className="list-foot" role="status">
      <span>{say.items(count)}</span>
      {estimate > 0 && <span>{say.estimated(durationText(estimate))}</span>}
      {spent > 0 && <span>{say.spentInAll(durationText(spent))}</span>}
      <span className="grow" />
      <Hint ids={['list.next', 'list.previous']} text={say.moveHint} />
      <Hint ids={['list.select']} text={say.selectHint} />
      <Hint ids={['list.peek']} text={say.peekHint} />
    </footer>
  )
}

function Hint({ ids, text }: { ids: readonly string[]; text: string }) {
  return (
    <span className="wide hstack hide-m">
      {ids.map(id => (
        <CommandKeys key={id} id={id} />
      ))}
      {text}
    </span>
  )
}
