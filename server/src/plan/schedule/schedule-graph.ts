import type { Id } from '../../kernel/id.ts'

export { dependencyKind } from '../../items/item-codes.ts'

/** A link by which one item waits for another. */
export interface Dependency {
  linkId: Id
  fromId: Id
  toId: Id
  dependency: number
  /** Working days of the successor's calendar. */
  lagDays: number
}

/** The children of each parent that has some. */
export function childrenOf(items: Iterable<{ id: Id; parentId: Id | '' }>): Map<Id, Id[]> {
  const children = new Map<Id, Id[]>()
  for (const { id, parentId } of items)
    if (parentId !== '') children.set(parentId, [...(children.get(parentId) ?? []), id])
  return children
}

/** Replaces the ends that are summaries by the items below them: a link to a parent binds its leaves. */
export function onLeaves(
  links: readonly Dependency[],
  children: ReadonlyMap<Id, readonly Id[]>,
  isSummary: (id: Id) => boolean,
): Dependency[] {
  const known = new Map<Id, readonly Id[]>()
  function leavesOf(id: Id): readonly Id[] {
    const found = known.get(id)
    if (found) return found
    // Parents never form a circle, so that this ends.
    const leaves = isSummary(id) ? (children.get(id) ?? []).flatMap(leavesOf) : [id]
    known.set(id, leaves)
    return leaves
  }
  return links.flatMap(link =>
    leavesOf(link.fromId).flatMap(fromId => leavesOf(link.toId).map(toId => ({ ...link, fromId, toId }))),
  )
}

/** The items in an order in which none comes before its predecessors, ties by id; or a circle that prevents it. */
export function inOrder(ids: Iterable<Id>, links: readonly Dependency[]): { order: Id[] } | { circle: Id[] } {
  const waits = new Map([...ids].map(id => [id, 0]))
  const inside = links.filter(({ fromId, toId }) => waits.has(fromId) && waits.has(toId))
  for (const { toId } of inside) waits.set(toId, (waits.get(toId) ?? 0) + 1)
  const next = Map.groupBy(inside, each => each.fromId)
  const order: Id[] = []
  let ready = [...waits].filter(([, count]) => count === 0).map(([id]) => id)
  while (ready.length > 0) {
    const freed: Id[] = []
    for (const id of ready.sort()) {
      order.push(id)
      for (const { toId } of next.get(id) ?? []) {
        const left = (waits.get(toId) ?? 0) - 1
        waits.set(toId, left)
        if (left === 0) freed.push(toId)
      }
    }
    ready = freed
  }
  return order.length === waits.size ? { order } : { circle: circleAmong(waits, order, inside) }
}

/** Walks back from an item that waits, until one comes again. */
function circleAmong(waits: ReadonlyMap<Id, number>, order: readonly Id[], links: readonly Dependency[]): Id[] {
  const done = new Set(order)
  const waiting = [...waits.keys()].filter(id => !done.has(id))
  const before = Map.groupBy(
    links.filter(({ fromId }) => !done.has(fromId)),
    each => each.toId,
  )
  const seen: Id[] = []
  for (let id = waiting.sort()[0]; id !== undefined; id = before.get(id)?.[0]?.fromId) {
    const at = seen.indexOf(id)
    if (at >= 0) return [...seen.slice(at), id].reverse()
    seen.push(id)
  }
  return seen
}
