/** A record with its children, as `?tree=true` returns it. */
type Nested<R> = R & { children: Nested<R>[] }

/** Nests records below their parents and keeps their order; a record whose parent is missing becomes a root. */
export function nested<R extends { id: string; parentId: string }>(records: readonly R[]): Nested<R>[] {
  const withChildren = (record: R): Nested<R> => ({ ...record, children: [] })
  const all = new Map(records.map(record => [record.id, withChildren(record)]))
  const top: Nested<R>[] = []
  for (const each of all.values()) {
    const siblings = all.get(each.parentId)?.children ?? top
    siblings.push(each)
  }
  return top
}
