import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sharedTestService } from '../../../test/support/people.ts'
import { type Dates, datesThatFollow, type Precedence } from './dependent-dates.ts'
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

describe('dates that follow', () => {
  test('satisfy every precedence, keep the lengths, and never move to earlier days', () => {
    const day = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
    const length = ({ startDate, dueDate }: Dates) => Date.parse(dueDate ?? '') - Date.parse(startDate ?? '')
    const span = fc
      .tuple(fc.nat(20), fc.nat(5))
      .map(([from, days]) => ({ startDate: day(from), dueDate: day(from + days) }))
    const forward = fc
      .record({
        from: fc.nat(nodes - 2),
        step: fc.integer({ min: 1, max: 3 }),
        lagDays: fc.integer({ min: -2, max: 4 }),
      })
      .map(
        ({ from, step, lagDays }): Precedence => ({
          fromId: String(from),
          toId: String(Math.min(nodes - 1, from + step)),
          lagDays,
        }),
      )
    fc.assert(
      fc.property(
        fc.array(span, { minLength: nodes, maxLength: nodes }),
        fc.array(forward, { maxLength: 12 }),
        (spans, links) => {
          const known = new Map<string, Dates>(spans.map((dates, i) => [String(i), dates]))
          const moved = datesThatFollow(known, links)
          const now = (id: string) => moved.get(id) ?? known.get(id) ?? { startDate: null, dueDate: null }
          for (const { fromId, toId, lagDays } of links) {
            const gap = (Date.parse(now(toId).startDate ?? '') - Date.parse(now(fromId).dueDate ?? '')) / 86_400_000
            assert.ok(gap >= lagDays + 1, `${fromId} to ${toId}: ${gap}`)
          }
          for (const [id, dates] of known) {
            assert.equal(length(now(id)), length(dates))
            assert.ok((now(id).startDate ?? '') >= (dates.startDate ?? ''))
          }
        },
      ),
    )
  })
})
