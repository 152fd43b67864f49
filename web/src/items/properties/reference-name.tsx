import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { gantry } from '../../kernel/data/client.ts'

interface Named {
  id: string
  name: string
}

const atOnce = 100

const named = (id: string) => ({ id, fields: 'name', limit: atOnce })

const read = {
  crm: (id: string): Promise<Named[]> => call(gantry, 'GET /finance/crm', { query: named(id) }),
  sku: (id: string): Promise<Named[]> => call(gantry, 'GET /finance/sku', { query: named(id) }),
  userGroup: (id: string): Promise<Named[]> => call(gantry, 'GET /user-group', { query: named(id) }),
  item: async (id: string): Promise<Named[]> => {
    const items = await call(gantry, 'GET /item', { query: { id, fields: 'key,title', limit: atOnce } })
    return items.map(item => ({ id: item.id, name: `${item.key} ${item.title}` }))
  },
}

/** The kinds of records whose names are asked for one by one, because a tenant has too many to know them all. */
type ReferenceKind = keyof typeof read

const names = {
  crm: batched(read.crm),
  sku: batched(read.sku),
  userGroup: batched(read.userGroup),
  item: batched(read.item),
}

/** Asks at once for the names that are wanted at once: a list has as many as rows. */
function batched(readNames: (ids: string) => Promise<Named[]>): (id: string) => Promise<string> {
  let batch: { ids: Set<string>; found: Promise<Named[]> } | undefined
  return async id => {
    if (!batch || batch.ids.size >= atOnce) {
      const ids = new Set<string>()
      const found = new Promise<void>(resolve => setTimeout(resolve)).then(() => {
        if (batch?.ids === ids) batch = undefined
        return readNames([...ids].join())
      })
      batch = { ids, found }
    }
    batch.ids.add(id)
    return (await batch.found).find(each => each.id === id)?.name ?? ''
  }
}

const minute = 60_000

/** The name of a record that an item refers to; a dash for one that the person may not see. */
function ReferenceName({ kind, id }: { kind: ReferenceKind; id: unknown }) {
  const isSet = typeof id === 'string' && id !== ''
  const { data, isPending } = useQuery({
    queryKey: ['name', kind, id],
    enabled: isSet,
    staleTime: 5 * minute,
    queryFn: () => names[kind](String(id)),
  })
  if (isSet && isPending) return null
  return data ? <bdi className="cut">{data}</bdi> : <span className="dim">–</span>
}

export const isReferenceKind = (kind: string): kind is ReferenceKind => kind in names

/** Shows a property that refers to one record or to several. */
export const showReference = (kind: ReferenceKind, read: (record: object) => unknown) =>
  function Shown(record: object): ReactNode {
    const value = read(record)
    if (!Array.isArray(value)) return <ReferenceName kind={kind} id={value} />
    return value.map((id, at) => (
      <Fragment key={String(id)}>
        {at > 0 && ', '}
        <ReferenceName kind={kind} id={id} />
      </Fragment>
    ))
  }
