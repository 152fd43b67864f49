import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { foldFlow } from '../../insight/summary/fold-flow.ts'
import { operator } from '../../language/conditions/conditions.ts'
import type { Item } from '../item/item.ts'

describe('items by containers and states', async () => {
  const { ada, bob, eve, database } = await sharedTestService()
  const [desk, shop] = [await ada.post('/container', { name: 'Desk' }), await ada.post('/container', { name: 'Shop' })]
  const states = ['Open', 'öffentlich', 'Waiting', 'Done']

  const made: Item[] = []
  for (let n = 0; n < 24; n++)
    made.push(
      await ada.post('/item', {
        title: `Item ${String((n * 7) % 24).padStart(2, '0')}`,
        containerId: n % 3 === 0 ? shop.id : desk.id,
        status: states[n % 4],
        priority: n % 5,
      }),
    )

  // Few items are found by their states only if there are many others.
  const others = Array.from({ length: 600 }, (_, n) => ({
    title: `Other ${n}`,
    containerId: n % 2 ? desk.id : shop.id,
  }))
  await ada.post(
    '/item/bulk',
    others.map(each => ({ ...each, status: 'Elsewhere' })),
  )

  const titles = (some: readonly Pick<Item, 'title'>[]) => some.map(({ title }) => title)
  const byTitle = (some: readonly Item[]) => titles(some).sort()

  /** The titles of all pages of a list. */
  async function paged(query: string): Promise<string[]> {
    const found: string[] = []
    let cursor = ''
    do {
      const { body, headers } = await bob.ask('GET', `/item?${query}&limit=3${cursor && `&cursor=${cursor}`}`)
      found.push(...titles(body))
      cursor = headers.get('x-next-cursor') ?? ''
    } while (cursor !== '')
    return found
  }

  async function searched(body: object): Promise<string[]> {
    return titles(await bob.post('/item/search', { sort: 'title', limit: 50, ...body }))
  }

  for (const when of ['before', 'after'])
    describe(`${when} the numbers of items are summed`, () => {
      before(async () => {
        if (when === 'after') await database.transaction(tenantCaller(ada.tenantId), ctx => foldFlow(ctx))
      })

      test('a list by states has the items of all pages, whatever its order is', async () => {
        for (const sort of ['title', '-title', 'updated', '-priority,title', 'version,title', 'dueDate,title']) {
          const asked = await paged(`containerId=${desk.id}&status=open,OFFENTLICH&sort=${sort}`)
          const expected = made.filter(
            each => each.containerId === desk.id && ['Open', 'öffentlich'].includes(each.status),
          )
          assert.deepEqual([...asked].sort(), byTitle(expected), sort)
          if (sort === 'title') assert.deepEqual(asked, byTitle(expected))
        }
        const waiting = made.filter(({ status }) => status === 'Waiting')
        assert.deepEqual(await paged('status=waiting&sort=title'), byTitle(waiting))
        assert.deepEqual(await paged('status=Nowhere'), [])
      })

      test('conditions find what a list finds', async () => {
        const inState = { leftSide: 'status', operator: operator.in, rightSide: '["waiting", "done"]' }
        const inShop = { leftSide: 'containerId', operator: operator.equals, rightSide: shop.id }
        const urgent = { leftSide: 'priority', operator: operator.greaterThan, rightSide: '2' }
        const named = { leftSide: 'status', operator: operator.notEquals, rightSide: 'Elsewhere' }
        const isAsked = (each: Item) => ['Waiting', 'Done'].includes(each.status)
        assert.deepEqual(
          await searched({ conditionGroup: [{ condition: [inState] }], container: [shop.id] }),
          byTitle(made.filter(each => isAsked(each) && each.containerId === shop.id)),
        )
        // One group asks of states, the other of more.
        assert.deepEqual(
          await searched({ conditionGroup: [{ condition: [inState, urgent] }, { condition: [inShop, named] }] }),
          byTitle(made.filter(each => (isAsked(each) && each.priority > 2) || each.containerId === shop.id)),
        )
        const elsewhere = { ...inShop, operator: operator.notEquals }
        assert.deepEqual(
          await searched({ conditionGroup: [{ condition: [elsewhere, inState] }] }),
          byTitle(made.filter(each => isAsked(each) && each.containerId === desk.id)),
        )
        assert.deepEqual(await searched({ conditionGroup: [{ condition: [inState] }], container: ['nowhere'] }), [])
        assert.deepEqual(
          await searched({
            conditionGroup: [{ condition: [inShop, urgent, named] }],
            includeClosed: false,
            sort: 'updated,title',
          }),
          titles(made.filter(each => each.containerId === shop.id && each.priority > 2 && each.status !== 'Done')),
        )
        assert.deepEqual(
          await searched({ conditionGroup: [{ condition: [{ ...inState, operator: operator.notIn }, named] }] }),
          byTitle(made.filter(each => !isAsked(each))),
        )
      })
    })

  test('conditions on categories find the same items in every form', async () => {
    const ofDesk = { leftSide: 'containerId', operator: operator.equals, rightSide: desk.id }
    const named = { leftSide: 'status', operator: operator.notEquals, rightSide: 'Elsewhere' }
    const inDesk = made.filter(each => each.containerId === desk.id)
    const asked: [operator: number, rightSide: string, isAsked: (category: number) => boolean][] = [
      [operator.lessThan, '4', category => category < 4],
      [operator.lessThan, '5', category => category < 5],
      [operator.lessOrEqual, '3', category => category < 4],
      [operator.lessOrEqual, '4', category => category < 5],
      [operator.notIn, '[4, 5]', category => category < 4],
      [operator.notIn, '[5]', category => category !== 5],
      [operator.in, '["done"]', category => category === 4],
      [operator.in, '[1, 4]', category => category === 1 || category === 4],
      [operator.equals, 'unstarted', category => category === 1],
      [operator.greaterThan, '3', category => category > 3],
    ]
    assert.ok(['Done', 'Open'].every(state => inDesk.some(({ status }) => status === state)))
    for (const [code, rightSide, isAsked] of asked) {
      const category = { leftSide: 'statusCategory', operator: code, rightSide }
      assert.deepEqual(
        await searched({ conditionGroup: [{ condition: [ofDesk, category, named] }] }),
        byTitle(inDesk.filter(each => isAsked(each.statusCategory))),
        `${code} ${rightSide}`,
      )
    }
    // Not all of the groups are about open items.
    const open = { leftSide: 'statusCategory', operator: operator.lessThan, rightSide: '4' }
    const groups = [{ condition: [ofDesk, open, named] }, { condition: [ofDesk, named] }]
    assert.deepEqual(await searched({ conditionGroup: groups }), byTitle(inDesk))
  })

  test('items without assignees are found, open or not', async () => {
    const nobody = { leftSide: 'assignee', operator: operator.isEmpty, rightSide: '' }
    const { id: containerId } = await ada.post('/container', { name: 'Assigned' })
    for (const [title, assignees, status] of [
      ['Mine', [bob.id], 'Open'],
      ['Nobody', [], 'Open'],
      ['Nobody, closed', [], 'Done'],
    ])
      await ada.post('/item', { title, assignees, status, containerId })
    const search = (condition: object, includeClosed: boolean) =>
      searched({ conditionGroup: [{ condition: [condition] }], container: [containerId], includeClosed })
    assert.deepEqual(await search(nobody, false), ['Nobody'])
    assert.deepEqual(await search(nobody, true), ['Nobody', 'Nobody, closed'])
    assert.deepEqual(await search({ ...nobody, operator: operator.isNotEmpty }, true), ['Mine'])
  })

  test('an item is found in a state that no item had a moment ago', async () => {
    assert.deepEqual(await paged(`containerId=${desk.id}&status=Brand new`), [])
    const { id } = await ada.post('/item', { title: 'Pioneer', containerId: desk.id, status: 'Brand new' })
    assert.deepEqual(await paged(`containerId=${desk.id}&status=brand new`), ['Pioneer'])
    await ada.put(`/item/${id}`, { containerId: shop.id })
    assert.deepEqual(await paged(`containerId=${desk.id}&status=brand new`), [])
    assert.deepEqual(await paged(`containerId=${shop.id}&status=brand new`), ['Pioneer'])
    await ada.delete(`/item/${id}`)
    assert.deepEqual(await paged('status=brand new'), [])
  })

  test('archived and deleted items are found where they are asked for', async () => {
    const attic = await ada.post('/container', { name: 'Attic' })
    const [archived, deleted] = [
      await ada.post('/item', { title: 'Archived', containerId: attic.id, status: 'Done' }),
      await ada.post('/item', { title: 'Deleted', containerId: attic.id, status: 'Done' }),
    ]
    await ada.post(`/item/${archived.id}/archive`, {})
    await ada.delete(`/item/${deleted.id}`)
    const done = `containerId=${attic.id}&status=done`
    assert.deepEqual(await paged(done), [])
    assert.deepEqual(await paged(`${done}&archived=include`), ['Archived'])
    assert.deepEqual(await paged(`${done}&deleted=only`), ['Deleted'])
    assert.deepEqual(await searched({ container: [attic.id], archived: 'only' }), ['Archived'])
  })

  test('neither restricted items nor those of another tenant are found', async () => {
    await ada.post('/item', { title: 'Hidden', containerId: desk.id, status: 'Secret', visibility: 1 })
    assert.deepEqual(await paged('status=secret'), [])
    assert.deepEqual(titles(await ada.get('/item?status=secret&limit=5')), ['Hidden'])
    assert.deepEqual(titles(await eve.get('/item?status=secret&limit=5')), [])
  })
})
