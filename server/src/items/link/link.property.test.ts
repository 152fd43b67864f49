import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharedTestService } from '../../../test/support/people.ts'
import { wayBetween } from './link-circles.ts'

const { ada } = await sharedTestService()
const nodes = 6
const pair = fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)).filter(([a, b]) => a !== b)

/** Whether the edges form no circle: removes the nodes without incoming edges until none is left. */
function isAcyclic(edges: readonly (readonly [number, number])[]): boolean {
  let rest = [...edges]
  for (;;) {
    const reached = new Set(rest.map(([, to]) => to))
    const fewer = rest.filter(([from]) => reached.has(from))
    if (fewer.length === rest.length) return rest.length === 0
    rest = fewer
  }
}

describe('links of one behaviour', () => {
  test('are accepted exactly as long as they form no circle', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 4, maxLength: 14 }), async pairs => {
        const items = await Promise.all([...Array(nodes).keys()].map(i => ada.post('/item', { title: `Node ${i}` })))
        const taken: [number, number][] = []
        for (const [from, to] of pairs) {
          const body = { fromId: items[from]?.id, toId: items[to]?.id, type: 'blocks' }
          const { status } = await ada.ask('POST', '/link', { body })
          const known = taken.some(each => each[0] === from && each[1] === to)
          const expected = known ? 200 : isAcyclic([...taken, [from, to]]) ? 201 : 422
          assert.equal(status, expected)
          if (status === 201) taken.push([from, to])
        }
      }),
      { numRuns: 15 },
    )
  })

  test('a path is found exactly if there is one', () => {
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 15 }), pair, (pairs, [from, to]) => {
        const edges = pairs.map(([a, b]) => ({ fromId: String(a), toId: String(b) }))
        const reached = new Set([from])
        for (let grown = -1; grown !== reached.size; ) {
          grown = reached.size
          for (const [a, b] of pairs) if (reached.has(a)) reached.add(b)
        }
        const way = wayBetween(edges, String(from), String(to))
        assert.equal(way !== undefined, reached.has(to))
        for (const [i, id] of (way ?? []).slice(1).entries())
          assert.ok(edges.some(each => each.fromId === way?.[i] && each.toId === id))
      }),
    )
  })
})
