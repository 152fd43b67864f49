import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'

describe('non-billable codes', async () => {
  const { ada, bob, eve } = await sharedTestService()

  test('a code is active and counts as worked by default', async () => {
    const leave = await ada.post('/finance/non-billable', { name: 'Leave', code: 'LEAVE' })
    assert.deepEqual([leave.active, leave.countsAsWorked, leave.group, leave.kind], [true, true, [], 0])
    assert.equal((await ada.put(`/finance/non-billable/${leave.id}`, { active: false })).active, false)
    assert.equal((await ada.put(`/finance/non-billable/${leave.id}`, { active: null })).active, true)
  })

  test('a code cannot be changed after time was booked on it', async () => {
    const { id } = await ada.post('/finance/non-billable', { name: 'Training', code: 'TRAIN' })
    const path = `/finance/non-billable/${id}`
    assert.equal((await ada.put(path, { code: 'TRAINING' })).code, 'TRAINING')
    const entry = await bob.post('/time', { nonBillable: id, date: '2026-03-02', minutes: 60 })
    const refused = await ada.ask('PUT', path, { body: { code: 'SCHOOL', name: 'School' } })
    assert.deepEqual([refused.status, refused.body.code, refused.body.Fields[0].Pointer], [422, 'code-in-use', '/code'])
    const { name, code, description } = await ada.put(path, {
      code: 'TRAINING',
      name: 'Learning',
      description: 'All of it',
    })
    assert.deepEqual([name, code, description], ['Learning', 'TRAINING', 'All of it'])
    await bob.delete(`/time/${entry.id}`)
    assert.equal((await ada.put(path, { code: 'SCHOOL' })).code, 'SCHOOL')
  })

  test('codes are unique regardless of case', async () => {
    await ada.post('/finance/non-billable', { name: 'Sick', code: 'sick' })
    const second = await ada.ask('POST', '/finance/non-billable', { body: { name: 'Sick too', code: 'SICK' } })
    assert.deepEqual([second.status, second.body.code], [422, 'already-taken'])
    await eve.post('/finance/non-billable', { name: 'Sick', code: 'SICK' })
  })

  test('only groups of the tenant are accepted', async () => {
    const ours = await ada.post('/user-group', { name: 'Trainers' })
    const theirs = await eve.post('/user-group', { name: 'Trainers' })
    const { group } = await ada.post('/finance/non-billable', { name: 'Teaching', group: [ours.id] })
    assert.deepEqual(group, [ours.id])
    const refused = await ada.ask('POST', '/finance/non-billable', {
      body: { name: 'Spying', group: [ours.id, theirs.id] },
    })
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.Fields[0].Pointer],
      [422, 'unknown-reference', '/group/1'],
    )
  })

  test('members can read codes, but not change them', async () => {
    const { id } = await ada.post('/finance/non-billable', { name: 'Idle' })
    assert.equal((await bob.get(`/finance/non-billable/${id}`)).name, 'Idle')
    assert.equal((await bob.ask('PUT', `/finance/non-billable/${id}`, { body: { name: 'Busy' } })).status, 403)
  })
})
