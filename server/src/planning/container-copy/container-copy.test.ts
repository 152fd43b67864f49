import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { addWorkingDays, workingDaysBetween } from './working-days.ts'

describe('copying a container', async () => {
  const { ada, bob, eve, person } = await sharedTestService()

  test('areas, filters, boards and items are copied; the items are open and have shifted dates', async () => {
    const source = await ada.post('/container', { name: 'Move', startDate: '2026-01-05', dueDate: '2026-01-16' })
    const area = await ada.post('/area', { name: 'Office', owner: ownerKind.container, ownerId: source.id })
    const room = await ada.post('/area', {
      name: 'Room 1',
      owner: ownerKind.container,
      ownerId: source.id,
      parentId: area.id,
    })
    await ada.post(`/container/${source.id}/filter`, {
      name: 'In the office',
      criteria: {
        conditionGroup: [{ condition: [{ leftSide: 'area', operator: operator.equals, rightSide: area.id }] }],
      },
    })
    await ada.post('/board', { name: 'Board', owner: ownerKind.container, ownerId: source.id })
    const plan = await ada.post('/item', {
      title: 'Plan',
      containerId: source.id,
      areaId: room.id,
      status: 'Done',
      startDate: '2026-01-05',
      dueDate: '2026-01-09',
      Time: [{ date: '2026-01-05', minutes: 60 }],
    })
    await ada.post('/item', { title: 'Step', containerId: source.id, parentId: plan.id, dueDate: '2026-01-12' })

    const made = await ada.post(`/container/${source.id}/copy`, { name: 'Move again', startDate: '2026-03-02' })
    assert.deepEqual([made.startDate, made.dueDate, made.templateOf], ['2026-03-02', '2026-03-13', source.id])
    const work = await ada.get(`/item?containerId=${made.id}&sort=number`)
    assert.deepEqual(
      work.map(
        (each: { title: string; startDate: string; dueDate: string; closedAt: string; spentMinutes: number }) => [
          each.title,
          each.startDate,
          each.dueDate,
          each.closedAt,
          each.spentMinutes,
        ],
      ),
      [
        ['Plan', '2026-03-02', '2026-03-06', null, 0],
        ['Step', null, '2026-03-09', null, 0],
      ],
    )
    assert.equal(work[1].parentId, work[0].id)
    const places = await ada.get(`/area?ownerId=${made.id}`)
    assert.deepEqual(
      places.map((each: { name: string }) => each.name),
      ['Office', 'Room 1'],
    )
    assert.equal(work[0].areaId, places[1].id)
    const [filter] = await ada.get(`/container/${made.id}/filter`)
    assert.equal(filter.criteria.conditionGroup[0].condition[0].rightSide, places[0].id)
    assert.equal((await ada.get(`/board?ownerId=${made.id}`)).length, 1)
    assert.equal((await eve.ask('POST', `/container/${source.id}/copy`, { body: { name: 'x' } })).status, 404)
    assert.equal((await bob.ask('POST', `/container/${source.id}/copy`, { body: { name: 'x' } })).status, 403)
  })

  test('what refers to deleted records is copied without them', async () => {
    const [gone, owner] = [await person({ name: 'Gone' }), await person({ name: 'Owner' })]
    const crm = await ada.post('/finance/crm', { name: 'Former customer' })
    const source = await ada.post('/container', { name: 'Old hands', crmId: crm.id })
    await ada.post('/area', {
      name: 'Office',
      owner: ownerKind.container,
      ownerId: source.id,
      defaultAssignee: gone.id,
      leadUserId: gone.id,
    })
    const criteria = { conditionGroup: [] }
    await ada.post(`/container/${source.id}/filter`, { name: 'Private', criteria, ownerUserId: owner.id })
    await ada.post(`/container/${source.id}/filter`, { name: 'Of all', criteria })
    for (const user of [gone, bob]) await ada.put(`/container/${source.id}/member`, { userId: user.id, role: 3 })
    const named = { containerId: source.id, requesterId: gone.id, crmId: crm.id }
    await ada.post('/item', { title: 'Two', assignees: [gone.id, bob.id], ...named })
    for (const user of [gone, owner]) await ada.delete(`/user/${user.id}`)
    await ada.delete(`/finance/crm/${crm.id}`)

    const include = ['areas', 'filters', 'boards', 'members', 'items']
    const made = await ada.post(`/container/${source.id}/copy`, { name: 'New hands', include })
    assert.equal(made.crmId, '')
    const [item] = await ada.get(`/item?containerId=${made.id}`)
    assert.deepEqual([item.title, item.assignees, item.requesterId, item.crmId], ['Two', [bob.id], '', ''])
    const [area] = await ada.get(`/area?ownerId=${made.id}`)
    assert.deepEqual([area.name, area.defaultAssignee, area.leadUserId], ['Office', '', ''])
    const names = (all: { name: string }[]) => all.map(each => each.name)
    assert.deepEqual(names(await ada.get(`/container/${made.id}/filter`)), ['Of all'], 'no private filter is published')
    assert.deepEqual(
      (await ada.get(`/container/${made.id}/member`)).map((each: { userId: string }) => each.userId),
      [bob.id],
    )
  })

  test('only the requested parts are copied', async () => {
    const source = await ada.post('/container', { name: 'Bare' })
    await ada.post('/item', { title: 'Left', containerId: source.id })
    await ada.put(`/container/${source.id}/member`, { userId: bob.id, role: roleCode.manager })
    const made = await ada.post(`/container/${source.id}/copy`, { name: 'Barer', include: ['members'] })
    assert.deepEqual(await ada.get(`/item?containerId=${made.id}`), [])
    const [member] = await ada.get(`/container/${made.id}/member`)
    assert.deepEqual([member.userId, member.role], [bob.id, roleCode.manager])
  })

  test('a user has one role on a container, and a manager cannot grant more than they hold', async () => {
    const place = await ada.post('/container', { name: 'Roles', private: true })
    const gil = await person({ name: 'Gil', role: roleCode.member })
    assert.equal((await gil.ask('GET', `/container/${place.id}/member`)).status, 404)
    await Promise.all([3, 5, 3, 5].map(role => ada.put(`/container/${place.id}/member`, { userId: gil.id, role })))
    assert.equal((await ada.get(`/container/${place.id}/member`)).length, 1)
    await ada.put(`/container/${place.id}/member`, { userId: gil.id, role: roleCode.manager })
    assert.equal((await gil.get(`/container/${place.id}/member`))[0].name, 'Gil')
    assert.equal(
      (await gil.ask('PUT', `/container/${place.id}/member`, { body: { userId: bob.id, role: roleCode.admin } }))
        .status,
      403,
    )
    await gil.put(`/container/${place.id}/member`, { userId: bob.id, role: roleCode.readOnly })
    await gil.delete(`/container/${place.id}/member/${bob.id}`)
    assert.equal((await bob.ask('GET', `/container/${place.id}`)).status, 404)
    assert.equal((await gil.ask('DELETE', `/container/${place.id}/member/${eve.id}`)).status, 404)
  })

  test('working days skip weekends, in both directions', () => {
    assert.equal(workingDaysBetween('2026-01-05', '2026-01-12'), 5)
    assert.equal(addWorkingDays('2026-01-09', 1), '2026-01-12')
    for (const days of [0, 1, 4, 5, 11, 250]) {
      const on = addWorkingDays('2026-01-07', days)
      assert.equal(workingDaysBetween('2026-01-07', on), days)
      assert.equal(addWorkingDays(on, -days), '2026-01-07')
    }
  })
})
