import { call, type Item, type LinkGroup } from '@gantry/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { Plus, X } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { attempt } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { StatusIcon } from '../../../kit/icons.tsx'
import { Button } from '../../../kit/kit.tsx'
import { shapeOf } from '../../catalogue.ts'
import { readWithItem } from '../frame/open-item.ts'
import { useIsReadOnly } from '../use-item.ts'
import { useItemSearch } from '../use-item-search.ts'
import { Finder } from './finder.tsx'
import { say } from './messages.ts'
import { Part } from './part.tsx'

export function Links({ item, folded }: { item: Item; folded: boolean }) {
  const client = useQueryClient()
  const readOnly = useIsReadOnly(item)
  const queryKey = ['links', item.id]
  const { data: groups = [] } = useQuery({
    ...readWithItem,
    queryKey,
    queryFn: ({ signal }) => call(gantry, 'GET /item/{id}/links', { path: { id: item.id }, signal }),
  })
  const remove = async (id: string) => {
    await attempt(async () => {
      const { changeSet } = await call(gantry, 'DELETE /link/{id}', { path: { id } }).withResponse()
      remember(changeSet, say.linkRemoved)
    })
    await client.invalidateQueries({ queryKey })
  }
  return (
    <Part
      name={say.links}
      count={groups.reduce((sum, { links }) => sum + links.length, 0)}
      folded={folded}
      acts={!readOnly && <AddLink item={item} />}
    >
      {groups.flatMap(group =>
        group.links.map(link => (
          <LinkLine key={link.id} group={group} link={link} onRemove={readOnly ? undefined : () => remove(link.id)} />
        )),
      )}
    </Part>
  )
}

function LinkLine({
  group,
  link: { item, external },
  onRemove,
}: {
  group: LinkGroup
  link: LinkGroup['links'][number]
  onRemove: (() => void) | undefined
}) {
  const outside = typeof external?.title === 'string' ? external.title : String(external?.url ?? '')
  return (
    <div className="lnk">
      <bdi className="dim">{group.name}</bdi>
      {item?.key ? (
        <RouterLink to="/item/$key" params={{ key: item.key }} className="lnk grow">
          <span className="key">{item.key}</span>
          <bdi className="cut grow">{item.title}</bdi>
          <StatusIcon shape={shapeOf(item.statusCategory)} label={item.status ?? ''} />
        </RouterLink>
      ) : (
        <bdi className="cut grow dim">{outside || say.restricted}</bdi>
      )}
      {onRemove && (
        <Button look="icon" aria-label={say.removeLink(item?.key ?? outside)} onClick={onRemove}>
          <X className="ic" />
        </Button>
      )}
    </div>
  )
}

/** A link in two steps: what kind, to which item. */
function AddLink({ item }: { item: Item }) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const [type, setType] = useState<{ id: string; name: string; inverse: boolean }>()
  const [text, setText] = useState('')
  const { data: types = [] } = useQuery({
    queryKey: ['LinkType'],
    enabled: open,
    queryFn: ({ signal }) => call(gantry, 'GET /link/type', { query: { limit: 100 }, signal }),
  })
  const hits = useItemSearch(text, open && type !== undefined).filter(({ id }) => id !== item.id)
  const ways = types.flatMap(({ id, name, inverseName }) => [
    { id, name, inverse: false },
    ...(inverseName && inverseName !== name ? [{ id, name: inverseName, inverse: true }] : []),
  ])
  const add = async (otherId: string) => {
    if (!type) return
    const ends = type.inverse ? { fromId: otherId, toId: item.id } : { fromId: item.id, toId: otherId }
    setOpen(false)
    setType(undefined)
    await attempt(async () => {
      const { changeSet } = await call(gantry, 'POST /link', { body: { ...ends, type: type.id } }).withResponse()
      remember(changeSet, say.linkAdded)
    })
    await client.invalidateQueries({ queryKey: ['links', item.id] })
  }
  const nameOf = (way: (typeof ways)[number]) => `${way.id} ${way.inverse}`
  return (
    <Popover.Root
      open={open}
      onOpenChange={next => {
        setOpen(next)
        setType(undefined)
      }}
    >
      <Popover.Trigger className="btn btn-ghost btn-icon" aria-label={say.addLink}>
        <Plus className="ic" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className="menu finder" align="end" sideOffset={4}>
          {type ? (
            <Finder
              key="item"
              label={`${type.name} ${say.findItem}`}
              placeholder={`${type.name}: ${say.findItem}`}
              onText={setText}
              onPick={id => void add(id)}
              choices={hits.map(({ id, key, title }) => ({
                id,
                text: title,
                icon: <span className="key">{key}</span>,
              }))}
            />
          ) : (
            <Finder
              key="type"
              label={say.addLink}
              choices={ways.map(way => ({ id: nameOf(way), text: way.name }))}
              onPick={id => setType(ways.find(way => nameOf(way) === id))}
            />
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
