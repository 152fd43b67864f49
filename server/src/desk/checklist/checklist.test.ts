import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { userKind } from '../../identity/user-kind.ts'
import { statusCategory } from '../../items/status.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { takeTaskLines } from './task-lines.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a person would
type Any = any

describe('the lines of a task list', () => {
  const cases: [markdown: string, tasks: string[], rest: string][] = [
    [
      '- [ ] one\n* [x] two\n+ [X] three\n2. [ ] four\n  - [ ] inside',
      [' one', 'x two', 'x three', ' four', ' inside'],
      '',
    ],
    [
      'Before\n- [ ] one\n- plain\n- [] no\n- [y] no\n-[ ] no\n- [ ]',
      [' one'],
      'Before\n- plain\n- [] no\n- [y] no\n-[ ] no\n- [ ]',
    ],
    ['```\n- [ ] code\n~~~\n```\n- [ ] text', [' text'], '```\n- [ ] code\n~~~\n```'],
    ['', [], ''],
  ]
  for (const [markdown, tasks, rest] of cases)
    test(JSON.stringify(markdown), () => {
      const taken = takeTaskLines(markdown)
      assert.deepEqual(
        taken.tasks.map(({ text, checked }) => `${checked ? 'x' : ' '} ${text}`.replace('  ', ' ')),
        tasks,
      )
      assert.equal(taken.rest, rest)
    })

  test('are cut between characters', () => {
    assert.equal(takeTaskLines(`- [ ] ${'😀'.repeat(600)}`).tasks[0]?.text, '😀'.repeat(500))
  })
})

describe('checklists', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const desk = await ada.post('/container', { name: 'Checklists', kind: containerKind.desk })
  const item = (values: object = {}): Promise<Any> =>
    ada.post('/item', { title: 'Move', containerId: desk.id, ...values })
  const add = (of: Any, text: string, more: object = {}): Promise<Any> =>
    ada.post('/checklist-entry', { itemId: of.id, text, ...more })
  const texts = async (of: Any): Promise<string[]> =>
    (await ada.get(`/item/${of.id}/checklist`)).map((each: Any) => `${each.checked ? 'x' : '-'} ${each.text}`)
  const progress = async (of: Any) => {
    const { checklistDone, checklistTotal } = await ada.get(`/item/${of.id}`)
    return [checklistDone, checklistTotal]
  }

  test('have an order, assignees, and who checked what when', async () => {
    const move = await item()
    const [boxes, cables] = [
      await add(move, 'Pack the boxes'),
      await add(move, 'Label the cables', { assigneeId: bob.id }),
    ]
    assert.deepEqual([cables.assigneeId, cables.sequence > boxes.sequence], [bob.id, true])
    const checked = await bob.put(`/checklist-entry/${boxes.id}`, { checked: true })
    assert.equal(checked.checkedBy, bob.id)
    assert.equal(checked.checkedAt, checked.updated)
    const again = await ada.put(`/checklist-entry/${boxes.id}`, { checked: true, text: 'Pack all boxes' })
    assert.deepEqual([again.checkedBy, again.checkedAt], [bob.id, checked.checkedAt], 'it was checked before')
    assert.deepEqual(
      [await texts(move), await progress(move)],
      [
        ['x Pack all boxes', '- Label the cables'],
        [1, 2],
      ],
    )
    await ada.post(`/item/${move.id}/checklist/order`, { ids: [cables.id] })
    assert.deepEqual(await texts(move), ['- Label the cables', 'x Pack all boxes'])
    const open = await ada.put(`/checklist-entry/${boxes.id}`, { checked: false })
    assert.deepEqual([open.checkedBy, open.checkedAt], ['', null])
    const mine: Any[] = await bob.get(`/checklist-entry?assigneeId=${bob.id}&itemId=${move.id}`)
    assert.deepEqual(
      mine.map(each => each.id),
      [cables.id],
    )
    const opened = await ada.get(`/item/${move.id}?include=checklist`)
    assert.deepEqual(
      opened.checklist.map((each: Any) => each.id),
      [cables.id, boxes.id],
    )
  })

  test('count for the item, also when several are checked, deleted, restored and undone at once', async () => {
    const move = await item()
    const entries = await Promise.all(['a', 'b', 'c', 'd'].map(text => add(move, text)))
    await Promise.all(entries.map(each => ada.put(`/checklist-entry/${each.id}`, { checked: true })))
    assert.deepEqual(await progress(move), [4, 4])
    const [first, second] = entries
    const { headers } = await ada.ask('DELETE', `/checklist-entry/${first.id}`)
    await ada.put(`/checklist-entry/${second.id}`, { checked: false })
    assert.deepEqual(await progress(move), [2, 3])
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.deepEqual(await progress(move), [3, 4])
    const search = (leftSide: string, op: number, rightSide: string) =>
      ada.post('/item/search', {
        conditionGroup: [
          {
            condition: [
              { leftSide: 'id', operator: operator.equals, rightSide: move.id },
              { leftSide, operator: op, rightSide },
            ],
          },
        ],
      })
    assert.equal((await search('checklistDone', operator.equals, '3')).length, 1)
    assert.equal((await search('checklistTotal', operator.greaterThan, '4')).length, 0)
    assert.equal((await ada.get(`/item?sort=-checklistTotal&containerId=${desk.id}&limit=1`))[0].id, move.id)
  })

  test('take the task lines of texts, descriptions and annotations, each line once', async () => {
    const move = await item({ description: 'What to do:\n- [x] Order a van\n- [ ] Load it' })
    assert.deepEqual((await ada.post(`/item/${move.id}/checklist/markdown`, {})).length, 2)
    await ada.post(`/item/${move.id}/checklist/markdown`, { text: '- [ ] Load it\n- [ ] Drive\n- [ ] Drive' })
    const note = await ada.post('/annotation', { itemId: move.id, body: '1. [ ] Unload it' })
    await ada.post(`/item/${move.id}/checklist/markdown`, { annotationId: note.id })
    assert.deepEqual(await texts(move), ['x Order a van', '- Load it', '- Drive', '- Unload it'])
    await ada.post(`/item/${move.id}/checklist/markdown`, { removeLines: true })
    assert.equal((await ada.get(`/item/${move.id}`)).description, 'What to do:')
    const other = await item()
    const twice = await ada.ask('POST', `/item/${move.id}/checklist/markdown`, {
      body: { text: '- [ ] One', annotationId: note.id },
    })
    assert.deepEqual([twice.status, twice.body.Fields[0].Pointer], [400, '/annotationId'])
    const foreign = await ada.ask('POST', `/item/${other.id}/checklist/markdown`, { body: { annotationId: note.id } })
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown-reference'])
    const both = await ada.ask('POST', `/item/${move.id}/checklist/markdown`, {
      body: { text: 'x', removeLines: true },
    })
    assert.deepEqual([both.status, both.body.Fields[0].Field], [400, 'removeLines'])
  })

  test('become sub-items, and entries again by one undo', async () => {
    const move = await item()
    const [a, b] = [await add(move, 'Pack', { assigneeId: bob.id }), await add(move, 'Drive')]
    await ada.put(`/checklist-entry/${b.id}`, { checked: true })
    const { body: made, headers } = await ada.ask('POST', `/item/${move.id}/checklist/convert`, { body: {} })
    assert.deepEqual(
      made.map((each: Any) => [each.title, each.parentId, each.containerId, each.assignees]),
      [['Pack', move.id, desk.id, [bob.id]]],
    )
    assert.deepEqual([await texts(move), await progress(move)], [['x Drive'], [1, 1]])
    assert.equal((await ada.get(`/checklist-entry/${a.id}?deleted=include`)).becameId, made[0].id)
    await ada.post(`/change/${headers.get('change-set')}/undo`, {})
    assert.deepEqual(
      [await texts(move), await progress(move)],
      [
        ['- Pack', 'x Drive'],
        [1, 2],
      ],
    )
    assert.equal((await ada.ask('GET', `/item/${made[0].id}`)).status, 404)
  })

  test('are copied with their items, with nothing done', async () => {
    const move = await item()
    const child = await item({ parentId: move.id })
    await ada.put(`/checklist-entry/${(await add(move, 'Pack')).id}`, { checked: true })
    await add(child, 'Unpack')
    const copy = await ada.post(`/item/${move.id}/copy`, { children: true })
    assert.deepEqual([copy.checklistDone, copy.checklistTotal, await texts(copy)], [0, 1, ['- Pack']])
    const [below] = await ada.get(`/item?parentId=${copy.id}`)
    assert.deepEqual(await texts(below), ['- Unpack'])
  })

  test('are for staff who see the item, and stay as they are where it is read-only', async () => {
    const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
    const paul = await person({ name: 'Paul', role: roleCode.readOnly })
    const move = await item({ requesterId: rita.id })
    const entry = await add(move, 'Pack')
    for (const who of [rita, eve]) {
      assert.ok([403, 404].includes((await who.ask('GET', `/item/${move.id}/checklist`)).status))
      assert.ok([403, 404].includes((await who.ask('GET', `/checklist-entry/${entry.id}`)).status))
      assert.ok(
        [403, 404].includes((await who.ask('PUT', `/checklist-entry/${entry.id}`, { body: { checked: true } })).status),
      )
    }
    assert.equal((await paul.get(`/item/${move.id}/checklist`)).length, 1)
    assert.equal((await paul.ask('PUT', `/checklist-entry/${entry.id}`, { body: { checked: true } })).status, 403)
    const elsewhere = await item()
    const moved = await ada.ask('PUT', `/checklist-entry/${entry.id}`, { body: { itemId: elsewhere.id } })
    assert.deepEqual([moved.status, moved.body.code], [422, 'entry-fixed'])
    const order = await ada.ask('POST', `/item/${elsewhere.id}/checklist/order`, { body: { ids: [entry.id] } })
    assert.deepEqual([order.status, order.body.Fields[0].Pointer], [422, '/ids/0'])
    await ada.put(`/item/${move.id}`, { statusCategory: statusCategory.done })
    await ada.must('POST', `/item/${move.id}/archive`)
    const archived = await ada.ask('PUT', `/checklist-entry/${entry.id}`, { body: { checked: true } })
    assert.deepEqual([archived.status, archived.body.code], [422, 'item-archived'])
    const absent = await ada.ask('POST', '/checklist-entry', { body: { itemId: entry.id, text: 'x' } })
    assert.deepEqual([absent.status, absent.body.Fields[0].Field], [422, 'itemId'])
  })

  test('end at 500 entries', async () => {
    const move = await item()
    const text = Array.from({ length: 501 }, (_, n) => `- [ ] Step ${n}`).join('\n')
    const full = await ada.ask('POST', `/item/${move.id}/checklist/markdown`, { body: { text } })
    assert.deepEqual([full.status, full.body.code], [422, 'checklist-full'])
    assert.deepEqual(await progress(move), [0, 0])
  })
})
