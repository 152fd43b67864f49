import { CalendarDays, Timer } from 'lucide-react'
import { dayText } from '../../kernel/dates/days.ts'
import { durationText } from '../../kernel/dates/durations.ts'
import { PriorityIcon } from '../../kit/icons.tsx'
import { Avatar } from '../../kit/kit.tsx'
import { barsOf, priorityName } from '../properties/core-properties.tsx'
import type { Line } from './tokens.ts'

/** What a line says, as it is typed. */
export function QuickChips({ line, today }: { line: Line; today: string }) {
  return (
    <>
      {line.assignees.map(({ id, name }) => (
        <span key={id} className="chip">
          <Avatar id={id} name={name} /> <bdi>{name}</bdi>
        </span>
      ))}
      {line.priority !== undefined && (
        <span className="chip">
          <PriorityIcon level={barsOf(line.priority)} label="" /> {priorityName(line.priority)}
        </span>
      )}
      {line.dueDate && (
        <span className="chip">
          <CalendarDays className="ic" /> {dayText(line.dueDate, today)}
        </span>
      )}
      {line.estimateMinutes !== undefined && (
        <span className="chip">
          <Timer className="ic" /> {durationText(line.estimateMinutes)}
        </span>
      )}
      {line.labels.map(name => (
        <span key={name} className="chip">
          #<bdi>{name}</bdi>
        </span>
      ))}
    </>
  )
}
