import type { Item } from '@gantry/sdk'
import { useBulk } from '../../items/bulk/bulk.tsx'
import { useFieldCommands } from '../../items/list/field-commands.ts'
import { ItemList } from '../../items/list/item-list.tsx'
import { Skeleton } from '../../kit/kit.tsx'
import { EmptyList } from './empty-list.tsx'
import { type SeenContainer, useListState } from './list-state.ts'

/** The items of a container as a list. */
export function ContainerList({ container, onOpen }: { container: SeenContainer; onOpen: (item: Item) => void }) {
  const { criteria, properties, columns, setColumns, setSearch, isLoading, filter } = useListState(container)
  const bulk = useBulk()
  useFieldCommands({ properties, onBulk: bulk.change, onBulkDelete: bulk.remove })
  if (isLoading) return <Skeleton />
  return (
    <ItemList
      criteria={criteria}
      properties={properties}
      columns={columns}
      onColumns={setColumns}
      onSort={sort => setSearch({ sort: sort === 'rank' && !filter ? undefined : sort })}
      onOpen={onOpen}
      empty={
        <EmptyList
          criteria={criteria}
          onClear={() => setSearch({ where: undefined, q: undefined, filter: undefined })}
        />
      }
    >
      {bulk.bar}
    </ItemList>
  )
}
