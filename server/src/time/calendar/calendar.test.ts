import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { approvalMode } from './calendar.ts'
import { periodKind } from './period.ts'

describe('time calendars', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const team = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
  const mia = await person({ name: 'Mia', role: roleCode.manager })

  test('admins write them, staff read them', async () => {
    const weeks = await ada.post('/time/calendar', {
      name: 'Weeks',
      userGroups: [team.id],
      approval: approvalMode.person,
    })
    assert.deepEqual([weeks.kind, weeks.weekStart, weeks.graceDays, weeks.check], [periodKind.week, 1, null, []])
    assert.equal((await bob.get(`/time/calendar/${weeks.id}`)).name, 'Weeks')
    assert.equal((await mia.ask('PUT', `/time/calendar/${weeks.id}`, { body: { order: 2 } })).status, 403)
    assert.equal((await eve.ask('GET', `/time/calendar/${weeks.id}`)).status, 404)
    assert.equal((await ada.put(`/time/calendar/${weeks.id}`, { graceDays: 3 })).graceDays, 3)
    assert.equal((await ada.put(`/time/calendar/${weeks.id}`, { graceDays: null })).graceDays, null)
    await ada.delete(`/time/calendar/${weeks.id}`)
    assert.equal((await ada.post(`/time/calendar/${weeks.id}/restore`, undefined)).deleted, false)
  })

  test('parts without an effect are reported', async () => {
    const { check } = await ada.post('/time/calendar', { name: 'Odd', kind: 9, approval: 9, autoSubmit: true })
    assert.deepEqual(
      check.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
      ['/kind unknown-code', '/approval unknown-code', '/userGroups no-users', '/autoSubmit no-grace'],
    )
    const custom = await ada.post('/time/calendar', {
      name: 'Custom',
      kind: periodKind.custom,
      dates: ['2026-01-01'],
      userGroups: [team.id],
    })
    assert.deepEqual(
      custom.check.map((each: { code: string }) => each.code),
      ['no-period'],
    )
  })

  test('every fault of a body is named', async () => {
    const body = { name: ' ', weekStart: 8, dates: ['2026-02-30'], graceDays: -1, remindAfterDays: ['x'] }
    const { status, body: problem } = await ada.ask('POST', '/time/calendar', { body })
    assert.equal(status, 400)
    assert.deepEqual(problem.Fields.map((each: { Field: string }) => each.Field).sort(), [
      'dates.0',
      'graceDays',
      'name',
      'remindAfterDays.0',
      'weekStart',
    ])
    const unknown = await ada.ask('POST', '/time/calendar', { body: { name: 'X', userGroups: [eve.id] } })
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'unknown-reference'])
  })

  test('a calendar travels in the configuration with the names of its groups', async () => {
    await ada.post('/time/calendar', { name: 'Travelling', userGroups: [team.id], approverGroupId: team.id })
    const { kinds } = await ada.get('/config/export')
    const found = Object.values<{ name: string; userGroups: string[]; approverGroupId: string }>(
      kinds.TimeCalendar,
    ).find(each => each.name === 'Travelling')
    const reference = `${'$'}{UserGroup:Team}`
    assert.deepEqual([found?.userGroups, found?.approverGroupId], [[reference], reference])
  })
})
