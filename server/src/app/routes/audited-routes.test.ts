import assert from 'node:assert/strict'
import { test } from 'node:test'
import { op, operations } from '../../../test/support/operations.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { changesRights, rightsKinds } from './audited-routes.ts'

const { ada, bob, person } = await sharedTestService()

const entries = (filter: string) => ada.get(`/audit?${filter}`)

test('changes of rights are in the audit log with the address and the key, and nothing else of a user is', async () => {
  const cy = await person({ name: 'Cy', email: 'cy@example.com' })
  const grant = await ada.post('/access-control', { userId: cy.id, role: roleCode.manager })
  await ada.must('PATCH', `/user/${cy.id}`, { body: { role: roleCode.readOnly } })
  await ada.must('PATCH', `/user/${cy.id}`, { body: { locale: 'de' } })
  await ada.must('PATCH', `/user/${cy.id}?dryRun=true`, { body: { role: roleCode.member } })
  await ada.delete(`/access-control/${grant.id}`)
  const found = await entries('action=rights&sort=created')
  assert.deepEqual(
    found.map(({ reason, recordKind, recordId }: Record<string, string>) => [reason, recordKind, recordId]),
    [
      ['accessControl.created', 'AccessControl', grant.id],
      ['user.updated', 'User', cy.id],
      ['accessControl.deleted', 'AccessControl', grant.id],
    ],
  )
  const [key] = await ada.get('/admin/api-key')
  for (const { userId, address, credential, credentialId, outcome } of found)
    assert.deepEqual(
      [userId, address, credential, credentialId, outcome],
      [ada.id, '127.0.0.1', 'apiKey', key.id, 'ok'],
    )
})

test('changes of settings that decide who gets in are in the audit log, with the old and the new value', async () => {
  const key = 'user.secondFactorRequired'
  const made = await ada.post('/admin/setting', { key, value: true })
  const change = await ada.ask('PATCH', `/admin/setting/${made.id}`, { body: { value: false } })
  await ada.post(`/change/${change.headers.get('change-set')}/undo`, undefined)
  await ada.must('PATCH', `/admin/setting/${made.id}`, { body: { key: 'custom.other' } })
  await ada.must('PATCH', `/admin/setting/${made.id}`, { body: { key, description: 'Back' } })
  await ada.must('PATCH', `/admin/setting/${made.id}`, { body: { description: 'Only words' } })
  await ada.delete(`/admin/setting/${made.id}`)
  await ada.post(`/admin/setting/${made.id}/revert`, { version: 2 })
  await ada.delete(`/admin/setting/${made.id}`)
  const other = await ada.post('/admin/setting', { key: 'ticket.reopenDays', value: 3 })
  await ada.delete(`/admin/setting/${other.id}`)
  const found = await entries('action=setting&sort=created')
  assert.deepEqual(
    found.map(({ reason }: { reason: string }) => reason.replace(`${key}: `, '')),
    [
      'not set → true',
      'true → false',
      'false → true',
      'true → not set',
      'not set → true',
      'true → not set',
      'not set → true',
      'true → false',
      'false → not set',
    ],
  )
  for (const { userId, address, recordKind, recordId } of found)
    assert.deepEqual([userId, address, recordKind, recordId], [ada.id, '127.0.0.1', 'AppSetting', made.id])
})

test('exports and break-glass are in the audit log', async () => {
  await ada.get('/config/export')
  await ada.get('/tenant/export')
  assert.deepEqual(
    (await entries('action=export&sort=created')).map((each: { reason: string }) => each.reason),
    ['GET /config/export', 'GET /tenant/export'],
  )
  const secret = await bob.post('/item', { title: 'Secret', visibility: 2, assignees: [bob.id] })
  await ada.post(`/item/${secret.id}/break-glass`, { reason: 'The author has left' })
  const [entry] = await entries('action=breakGlass')
  assert.deepEqual([entry.recordId, entry.reason, entry.userId], [secret.id, 'The author has left', ada.id])
  assert.equal((await bob.ask('GET', '/audit')).status, 403)
  assert.equal((await ada.get(`/audit/${entry.id}`)).id, entry.id)
})

test('every operation that writes records of rights is audited', () => {
  const writers = operations.filter(
    ({ entity, operation }) => entity !== undefined && entity in rightsKinds && operation.mode !== 'read',
  )
  assert.ok(writers.length > 20)
  assert.deepEqual(
    writers.filter(({ route, operation }) => !changesRights(route, operation)).map(({ route }) => route),
    [],
  )
  assert.ok(op('GET /audit'))
})
