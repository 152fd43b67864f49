import { Group, SlidersHorizontal } from 'lucide-react'
import { Popover } from 'radix-ui'
import { canGroup } from '../../items/list/columns.ts'
import { openEditor } from '../../kernel/fields/open-editor.ts'
import { later } from '../../kernel/later.tsx'
import { Button } from '../../kit/kit.tsx'
import type { ListState } from './list-state.ts'
import { say } from './messages.ts'

const Columns = later(async () => (await import('./display-columns.tsx')).Columns)

/** By what the list is grouped, and what it shows of each item. */
export function Display({ state }: { state: ListState }) {
  return (
    <>
      <GroupButton state={state} />
      <Popover.Root>
        <Popover.Trigger asChild>
          <Button look="ghost" title={say.display}>
            <SlidersHorizontal className="ic" /> <span className="wide">{say.display}</span>
          </Button>
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className="menu display" align="end" sideOffset={4} aria-label={say.display}>
            <Columns state={state} />
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

function GroupButton({ state: { criteria, properties, setGroup } }: { state: ListState }) {
  const groups = [...properties.values()].filter(canGroup)
  const choices = [
    { value: 'none', label: say.noGroup },
    ...groups.map(({ path, name }) => ({ value: path, label: name })),
  ]
  const name = properties.get(criteria.group)?.name ?? say.noGroup
  return (
    <Button
      look="ghost"
      aria-haspopup="dialog"
      aria-label={say.groupBy(name)}
      title={say.groupBy(name)}
      onClick={event =>
        openEditor({
          property: {
            path: 'group',
            name: say.group,
            type: 'choice',
            choices,
            read: () => undefined,
            write: () => ({}),
          },
          value: criteria.group || 'none',
          record: undefined,
          anchor: event.currentTarget,
          save: path => setGroup(String(path)),
        })
      }
    >
      <Group className="ic" /> <span className="wide hide-m">{say.groupBy(name)}</span>
    </Button>
  )
}
