import type { ContainerFilter } from '@gantry/sdk'
import { Search, X } from 'lucide-react'
import { useState } from 'react'
import { ConditionBar } from '../../kernel/conditions/condition-bar.tsx'
import { useSession } from '../../kernel/data/session/session.ts'
import { later } from '../../kernel/later.tsx'
import { Button } from '../../kit/kit.tsx'
import { toFilter } from '../filters/criteria.ts'
import { FilterMenu } from '../filters/filter-menu.tsx'
import { say } from '../filters/messages.ts'
import { useFilterActions } from '../filters/use-filters.ts'
import { Display } from './display.tsx'
import { type ListState, type SeenContainer, useListState } from './list-state.ts'

const SaveFilter = later(async () => (await import('../filters/save-filter.tsx')).SaveFilter)

/** The conditions of a list, its saved filters, and how it looks. */
export function ListBar({ container }: { container: SeenContainer }) {
  const state = useListState(container)
  const { criteria, properties, setConditions, setSearch, filters, filter } = state
  const { remove } = useFilterActions(container.id)
  const [editing, setEditing] = useState<ContainerFilter | 'new'>()
  const choose = (each: ContainerFilter | undefined) => setSearch({ ...nothing, filter: each?.id })
  return (
    <div className="bar bar-2 conds">
      <FilterMenu
        filters={filters}
        active={filter}
        onChoose={choose}
        onEdit={setEditing}
        onRemove={each => void remove(each).then(() => choose(undefined))}
      />
      {!criteria.includeClosed && (
        <span className="cond">
          <span className="f">{say.openOnly}</span>
          <button type="button" className="x" aria-label={say.showClosed} onClick={() => setSearch({ closed: true })}>
            <X className="ic" />
          </button>
        </span>
      )}
      <ConditionBar properties={properties} conditions={criteria.conditions} onChange={setConditions} where="list" />
      <label className="find">
        <Search className="ic" />
        <input
          type="search"
          aria-label={say.find}
          placeholder={say.find}
          value={criteria.text}
          onChange={event => setSearch({ q: event.target.value })}
        />
      </label>
      <span className="grow" />
      <SaveButton container={container} state={state} onNew={() => setEditing('new')} />
      <Display state={state} />
      {editing && (
        <SaveFilter
          containerId={container.id}
          criteria={criteria}
          filter={editing === 'new' ? undefined : editing}
          people={properties.get('assignees')?.choices}
          onClose={() => setEditing(undefined)}
          onSaved={each => choose(each)}
        />
      )}
    </div>
  )
}

const nothing = {
  where: undefined,
  q: undefined,
  sort: undefined,
  group: undefined,
  closed: undefined,
  filter: undefined,
}

/** One's own filter is saved at once; from another's, or from none, a new one is made. */
function SaveButton({ container, state, onNew }: { container: SeenContainer; state: ListState; onNew: () => void }) {
  const { user } = useSession()
  const { update } = useFilterActions(container.id)
  const { filter, criteria, isChanged, setSearch } = state
  if (!isChanged) return null
  const isMine =
    filter && (filter.ownerUserId === user.id || (filter.ownerUserId === '' && filter.createdBy === user.id))
  const save = async () => {
    if (!filter || !isMine) return onNew()
    await update(filter, toFilter(criteria))
    await setSearch({ ...nothing, filter: filter.id })
  }
  return (
    <>
      {filter && <span className="meta wide hide-m">{say.changed}</span>}
      {filter && isMine && (
        <Button look="ghost" className="btn btn-ghost wide" onClick={onNew}>
          {say.saveAs}
        </Button>
      )}
      <Button aria-label={say.saveFilter} onClick={() => void save()}>
        {say.save}
      </Button>
    </>
  )
}
