import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isLong } from '../../../test/support/form.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { readRows } from './rows/sample-rows.ts'
import { dayOf, momentOf, workday } from './sample-moments.ts'

interface Named {
  id: string
  key: string
  name: string
  kind: number
  processIds: string[]
}

test('a row is read with all its marks, and a comment belongs to the row above', () => {
  const [item] = readRows(`
n3 p1 w2h !high @ana <nina #a #b ~60 *3 %2 ^-1 =x /y +45@2 | One | Eins
> 2h ana r | Two | Zwei
`)
  assert.deepEqual(item, {
    id: 'x',
    parent: 'y',
    priority: 'high',
    assignee: 'ana',
    requester: 'nina',
    cycle: 2,
    points: 3,
    estimate: 60,
    due: -1,
    title: { en: 'One', de: 'Eins' },
    steps: [
      { state: 'n', ago: { days: 3 } },
      { state: 'p', ago: { days: 1 } },
      { state: 'w', ago: { hours: 2 } },
    ],
    labels: ['a', 'b'],
    times: [{ minutes: 45, daysAgo: 2 }],
    comments: [{ ago: { hours: 2 }, who: 'ana', kind: 'r', text: { en: 'Two', de: 'Zwei' } }],
  })
})

test('days are working days, and every moment is past', () => {
  const [monday, sunday] = [new Date('2026-03-02T06:30:00Z'), new Date('2026-03-01T00:10:00Z')]
  assert.equal(workday(dayOf(monday), -1).toString(), '2026-02-27')
  assert.equal(workday(dayOf(sunday), -1).toString(), '2026-02-27')
  assert.equal(workday(dayOf(sunday), 1).toString(), '2026-03-02')
  for (const now of [monday, sunday])
    for (const ago of [{ days: 0 }, { days: 1 }, { hours: 1 }])
      for (const hour of [8, 17]) assert.ok(momentOf(now, ago, hour) < now)
  assert.equal(momentOf(monday, { days: 1 }, 16).toISOString(), '2026-02-27T16:00:00.000Z')
})

describe('the sample company', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const container = async (who: Person, key: string): Promise<Named> =>
    (await who.get('/container')).find((each: Named) => each.key === key)
  const items = async (who: Person, key: string) =>
    await who.get(`/item?containerId=${(await container(who, key)).id}&sort=number`)

  test('is loaded once, by admins, in one change set, and labelled', async () => {
    const admin = await person({ name: 'Admin', role: roleCode.admin })
    assert.equal((await bob.ask('POST', '/tenant/sample')).status, 403)
    assert.deepEqual(await admin.must('DELETE', '/tenant/sample'), { removed: {}, kept: [] })
    const { status, body, headers } = await admin.ask('POST', '/tenant/sample?language=de')
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual([body.loaded, body.records.Container, body.records.User], [true, 3, 8])
    assert.ok(body.records.Item > 110, JSON.stringify(body.records))
    const again = await admin.ask('POST', '/tenant/sample')
    assert.deepEqual([again.status, again.body.code], [409, 'sample-loaded'])
    const all = await ada.get('/item')
    assert.ok(all.every((each: { Tags: string[] }) => each.Tags.includes('sample')))
    assert.equal((await ada.get(`/change/${headers.get('change-set')}`)).id, headers.get('change-set'))
    assert.deepEqual(await ada.get('/notification/inbox'), [])
    const { now, overdue, waiting } = await admin.get('/user/me/work')
    assert.ok(
      [now, overdue, waiting].every(each => each.length > 0),
      'who loads it has work to begin with',
    )
    assert.deepEqual(await eve.get('/tenant/sample'), { loaded: false, records: {} })
  })

  test('has a desk whose clocks run, wait and were met, and whose people cannot sign in', async () => {
    const desk = await container(ada, 'HELP')
    assert.deepEqual([desk.name, desk.kind], ['Kundensupport', containerKind.desk])
    const tickets = await ada.get(`/ticket?containerId=${desk.id}`)
    const states = new Set<number>()
    for (const { id } of tickets)
      for (const { state } of (await ada.get(`/item/${id}?include=clock`)).clock) states.add(state)
    assert.ok(states.size >= 5, `running, paused, amber or red, met, breached: ${[...states].join()}`)
    assert.ok(tickets.every((each: { requester: { name: string } }) => each.requester.name))
    const [first] = await items(ada, 'HELP')
    const said = await ada.get(`/annotation?itemId=${first.id}&sort=created`)
    assert.deepEqual(
      said.map((each: { reachesNobody: boolean }) => each.reachesNobody),
      [false, false, false],
    )
    assert.ok(new Date(first.created) < new Date(said[0].created))
    assert.ok((await ada.get(`/ticket/${first.id}`)).firstReplyAt)
    const people = (await ada.get('/user')).filter((each: { kind: number; email: string }) => each.email === '')
    assert.equal(people.length - 1, 8, 'the admin of this test has no address either')
    const [filter] = await ada.get(`/container/${desk.id}/filter`)
    const urgent = await ada.get(`/container/${desk.id}/filter/${filter.id}/items`)
    assert.ok(urgent.length > 2, JSON.stringify([filter, urgent.length]))
  })

  test('has a project with a limited board, three cycles, dependencies and time of the last weeks', async () => {
    const app = await container(ada, 'APP')
    const cycles = await ada.get(`/cycle?containerId=${app.id}&sort=number`)
    assert.deepEqual(
      cycles.map((each: { state: number }) => each.state),
      [2, 1, 0],
    )
    assert.ok(cycles[0].completed.count > 5 && cycles[0].committed.count > cycles[0].completed.count)
    const burndown = await ada.get(`/cycle/${cycles[1].id}/burndown`)
    assert.ok(burndown.days.length > 5, JSON.stringify(burndown).slice(0, 300))
    const [board] = await ada.get(`/board?ownerId=${app.id}`)
    const { columns } = await ada.get(`/board/${board.id}/cards`)
    const doing = columns.find((each: { id: string }) => each.id === 'p')
    assert.deepEqual([doing.wip, doing.count > 2], [4, true])
    assert.equal((await ada.get('/link')).length, 5)
    const today = new Date().toISOString().slice(0, 10)
    const times: { date: string; minutes: number }[] = await ada.get('/time')
    assert.ok(times.length > 60 && times.every(each => each.date <= today && each.minutes > 0))
    const [filter] = await ada.get(`/container/${app.id}/filter`)
    assert.ok((await ada.get(`/container/${app.id}/filter/${filter.id}/items`)).length > 2)
  })

  test('is removed except for what people use by now, and the answer says why', async () => {
    const [commented, booked, child, , moved] = await items(ada, 'OPS')
    const mine = await ada.post('/container', { name: 'Mine', key: 'MINE' })
    const note = await bob.post('/annotation', { itemId: commented.id, body: 'Mine' })
    await bob.post('/time', { itemId: booked.id, date: '2026-03-02', minutes: 5 })
    const below = await ada.post('/item', { title: 'Below', parentId: child.id, containerId: mine.id })
    await ada.post(`/item/${moved.id}/move`, { containerId: mine.id })
    const { removed, kept } = await ada.must('DELETE', '/tenant/sample')
    const reasons = kept.map((each: { entity: string; id: string; because: string }) => [each.entity, each.because])
    const because = (id: string) => kept.find((each: { id: string }) => each.id === id)?.because
    assert.equal(because(commented.id), 'is used by Annotation')
    assert.equal(because(booked.id), 'is used by Time')
    assert.equal(because(child.id), 'is used by Item')
    assert.equal(because(moved.id), 'was moved to another container')
    assert.equal(because(commented.containerId), 'is used by Item, Time')
    assert.ok(
      kept.every((each: { name: string }) => each.name !== ''),
      JSON.stringify(kept),
    )
    assert.ok(removed.Item > 100 && removed.Container === 2, JSON.stringify(removed))
    const left = (await ada.get('/item')).map((each: { id: string }) => each.id)
    assert.deepEqual(left.sort(), [commented.id, booked.id, child.id, moved.id, below.id].sort())
    assert.equal((await ada.get(`/annotation/${note.id}`)).body, 'Mine')
    assert.equal((await ada.get('/time')).length, 1 + reasons.filter(([entity]: string[]) => entity === 'Time').length)
  })

  test('can be undone like every change, and loaded again when nothing is left of it', async () => {
    const { status, headers, body } = await eve.ask('POST', '/tenant/sample')
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal((await container(eve, 'HELP')).name, 'Customer support')
    const undone = await eve.ask('POST', `/change/${headers.get('change-set')}/undo`)
    assert.equal(undone.status, 200, JSON.stringify(undone.body))
    assert.deepEqual((await eve.get('/tenant/sample')).loaded, false)
    assert.deepEqual(await eve.get('/item'), [])
    // In the short form the sample is loaded anew instead, which the long form does after it was removed.
    const load = async () => {
      await eve.must('POST', '/tenant/sample')
      assert.ok(await container(eve, 'HELP2'), 'keys of deleted containers are not used again')
    }
    if (isLong) {
      const redone = await eve.ask('POST', `/change/${undone.headers.get('change-set')}/undo`)
      assert.equal(redone.status, 200, JSON.stringify(redone.body))
    } else await load()
    assert.deepEqual((await eve.get('/tenant/sample')).records, body.records)
    const [project] = (await eve.get('/container')).filter((each: Named) => /^APP/.test(each.key))
    const [card] = await eve.get(`/item?containerId=${project.id}&sort=number`)
    assert.deepEqual([card.Tags.at(-1), card.assignees.length], ['sample', 1])
    assert.ok(project.processIds.includes(card.processId))
    const { kept, removed } = await eve.must('DELETE', '/tenant/sample')
    assert.deepEqual([kept, removed.Container, removed.User], [[], 3, 8])
    assert.deepEqual((await eve.get('/label')).length, 0)
    assert.equal((await eve.get('/user')).length, 1)
    if (isLong) await load()
  })
})
