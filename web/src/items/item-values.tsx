import type { Item } from '@gantry/sdk'
import { ItemField } from './item-field.tsx'

export { priorityName } from './properties/core-properties.tsx'

// The values that rows and cards show most.

interface ValueProps {
  item: Item
  /** With its name, where there is room for it. */
  named?: boolean
}

const look = (named: boolean | undefined) => (named ? 'line' : 'cell')

export const PriorityValue = ({ item, named }: ValueProps) => (
  <ItemField item={item} path="priority" look={look(named)} />
)
export const StatusValue = ({ item, named }: ValueProps) => <ItemField item={item} path="status" look={look(named)} />
export const WhoValue = ({ item, named }: ValueProps) => <ItemField item={item} path="assignees" look={look(named)} />
export const DueValue = ({ item }: ValueProps) => <ItemField item={item} path="dueDate" className="r" />
export const EstimateValue = ({ item }: ValueProps) => <ItemField item={item} path="estimateMinutes" className="r" />
