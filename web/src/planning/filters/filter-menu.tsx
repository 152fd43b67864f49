import type { ContainerFilter } from '@gantry/sdk'
import { ChevronDown, ListFilter, Lock, Pencil, Star, Trash2, Users } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { setPreferences, usePreferences } from '../../kernel/data/session/preferences.ts'
import { patchSession, useSession } from '../../kernel/data/session/session.ts'
import { number } from '../../kernel/messages/messages.ts'
import { say } from './messages.ts'
import { useFilterCount } from './use-filters.ts'

interface MenuProps {
  filters: readonly ContainerFilter[]
  active: ContainerFilter | undefined
  onChoose: (filter: ContainerFilter | undefined) => void
  onEdit: (filter: ContainerFilter) => void
  onRemove: (filter: ContainerFilter) => void
}

/** The saved filters of a container: open one, star it, rename, share or delete it. */
export function FilterMenu({ filters, active, onChoose, onEdit, onRemove }: MenuProps) {
  const [isOpen, setOpen] = useState(false)
  const { user } = useSession()
  const isMine =
    active && (active.ownerUserId === user.id || (active.ownerUserId === '' && active.createdBy === user.id))
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen}>
      <DropdownMenu.Trigger className="btn btn-ghost filter-name" aria-label={say.filters(active?.name ?? say.all)}>
        <ListFilter className="ic" />
        <bdi className="cut">{active?.name ?? say.all}</bdi>
        <ChevronDown className="ic" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="menu filter-menu" align="start" sideOffset={4}>
          <DropdownMenu.Item className={`it ${active ? '' : 'is-on'}`} onSelect={() => onChoose(undefined)}>
            <ListFilter className="ic" />
            {say.all}
          </DropdownMenu.Item>
          {filters.map(filter => (
            <FilterLine
              key={filter.id}
              filter={filter}
              isOn={filter.id === active?.id}
              isShown={isOpen}
              onChoose={() => onChoose(filter)}
            />
          ))}
          {active && (
            <>
              <DropdownMenu.Separator className="menu-sep" />
              <StarLine filter={active} />
              {isMine && (
                <DropdownMenu.Item className="it" onSelect={() => onEdit(active)}>
                  <Pencil className="ic" /> {say.edit}
                </DropdownMenu.Item>
              )}
              {isMine && (
                <DropdownMenu.Item className="it" onSelect={() => onRemove(active)}>
                  <Trash2 className="ic" /> {say.remove}
                </DropdownMenu.Item>
              )}
            </>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface LineProps {
  filter: ContainerFilter
  isOn: boolean
  isShown: boolean
  onChoose: () => void
}

function FilterLine({ filter, isOn, isShown, onChoose }: LineProps) {
  const count = useFilterCount(filter, isShown)
  const isPrivate = filter.ownerUserId !== '' && filter.shared.length === 0
  const Icon = isPrivate ? Lock : Users
  return (
    <DropdownMenu.Item className={`it ${isOn ? 'is-on' : ''}`} onSelect={onChoose}>
      <Icon className="ic" role="img" aria-label={isPrivate ? say.onlyMe : say.shared} />
      <bdi className="grow cut">{filter.name}</bdi>
      {count !== undefined && <span className="count">{number(count)}</span>}
    </DropdownMenu.Item>
  )
}

/** Starred filters are in the sidebar. */
function StarLine({ filter: { id, name, containerId } }: { filter: ContainerFilter }) {
  const { starred } = useSession()
  const { starred: kept = [] } = usePreferences()
  const isOn = starred.some(each => each.id === id)
  const toggle = () => {
    const star = { entity: 'ContainerFilter', id, name, containerId }
    patchSession({ starred: isOn ? starred.filter(each => each.id !== id) : [...starred, star] })
    void setPreferences({
      starred: isOn ? kept.filter(each => each.id !== id) : [...kept, { entity: 'ContainerFilter', id }],
    })
  }
  return (
    <DropdownMenu.Item className="it" onSelect={toggle}>
      <Star className={isOn ? 'ic is-full' : 'ic'} aria-hidden="true" /> {isOn ? say.unstar : say.star}
    </DropdownMenu.Item>
  )
}
