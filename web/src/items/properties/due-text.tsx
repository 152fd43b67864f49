import type { Item } from '@gantry/sdk'
import { dayText } from '../../kernel/dates/days.ts'
import { useHere } from '../../kernel/fields/here.ts'
import { isOpen } from '../catalogue.ts'
import { say } from '../messages.ts'

/** The day on which an item is due; one that has come, in words and in colour. */
export function DueText({ item: { dueDate, statusCategory } }: { item: Item }) {
  const { today } = useHere()
  if (!dueDate) return <span className="dim">–</span>
  const isLate = dueDate <= today && isOpen(statusCategory)
  return (
    <time className={isLate ? 'is-warn mid' : ''} dateTime={dueDate}>
      {dueDate === today ? say.today : dayText(dueDate, today)}
    </time>
  )
}
