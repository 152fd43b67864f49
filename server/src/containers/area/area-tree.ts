/** A record with those below it, as `?tree=true` shows it. */
type Nested<R> = R & { children: Nested<R>[] }

/** Records in the order they are given, each with its children inside; whose parent is not among them stands at the top. */
export function nested<R extends { id: string; parentId: string }>(records: readonly R[]): Nested<R>[] {
  const all = new Map(records.map(record => [record.id, { ...record, children: [] as Nested<R>[] }]))
  const top: Nested<R>[] = []
  for (const each of all.values()) {
    const siblings = all.get(each.parentId)?.children ?? top
    siblings.push(each)
  }
  return top
}
