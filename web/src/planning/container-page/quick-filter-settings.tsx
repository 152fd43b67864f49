import { type Board, codes } from '@gantry/sdk'
import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../kit/kit.tsx'
import { say } from '../messages.ts'

type Filters = Board['quickFilters']

/** The quick filters of a board: their names, and the usual ones to add. */
export function QuickFilterSettings({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const missing = usualFilters().filter(({ name }) => !filters.some(each => each.name === name))
  return (
    <fieldset className="field-set">
      <legend>{say.quickFilters}</legend>
      {filters.map((filter, at) => (
        <div key={filter.id ?? filter.name} className="hstack">
          <bdi className="grow cut">{filter.name}</bdi>
          <Button
            look="icon"
            aria-label={say.removeNamed(filter.name ?? '')}
            onClick={() => onChange(filters.toSpliced(at, 1))}
          >
            <Trash2 className="ic" />
          </Button>
        </div>
      ))}
      <div className="hstack wrap">
        {missing.map(filter => (
          <Button key={filter.name} look="ghost" onClick={() => onChange([...filters, filter])}>
            <Plus className="ic" /> {filter.name}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** The filters that most teams want. */
export const usualFilters = () => [
  { name: say.mine, conditionGroup: [one('assignee', codes.operator.equals, '@me')] },
  { name: say.noOwner, conditionGroup: [one('assignee', codes.operator.isEmpty)] },
  { name: say.noEstimate, conditionGroup: [one('estimateMinutes', codes.operator.equals, '0')] },
  { name: say.overdue, conditionGroup: [one('dueDate', codes.operator.lessThan, '@today')] },
]

const one = (leftSide: string, operator: number, rightSide = '') => ({ condition: [{ leftSide, operator, rightSide }] })
