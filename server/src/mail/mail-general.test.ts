import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../test/support/people.ts'
import { userKind } from '../identity/user-kind.ts'
import { roleCode } from '../kernel/access.ts'
import { autoReplyPolicy, htmlPolicy } from './mail-general.ts'
import { spoofPolicies } from './mail-message/authenticity/authenticity.ts'

describe('general mail settings', async () => {
  const { ada, bob, eve, happened, person } = await sharedTestService()

  test('before the first change they have defaults and the dates of the tenant', async () => {
    const { status, body, headers } = await ada.ask('GET', '/mail/general')
    const tenant = await ada.get('/tenant')
    assert.equal(status, 200)
    assert.equal(headers.get('etag'), '"v0"')
    assert.deepEqual(body, {
      entity: 'MailGeneral',
      tenantId: ada.tenantId,
      id: ada.tenantId,
      created: tenant.created,
      createdBy: tenant.createdBy,
      updated: tenant.created,
      updatedBy: tenant.createdBy,
      deleted: false,
      version: 0,
      signature: '',
      domainStopList: [],
      subjectStopList: [],
      maxMessageBytes: 0,
      allowedAttachmentTypes: [],
      defaultFrom: '',
      replyMarker: '',
      autoReplyPolicy: autoReplyPolicy.newTickets,
      autoReplyMinutes: 60,
      loopQuotas: [],
      trustedSenders: [],
      mailRecipientDomains: [],
      bounceSuppressDays: 60,
      followUpDays: 0,
      htmlPolicy: htmlPolicy.cleaned,
      trackOpens: false,
      spoofPolicy: spoofPolicies.reject,
      demandProof: false,
      check: [],
    })
    assert.deepEqual(await ada.get('/mail/general/history'), [])
  })

  test('the first change creates the record, later ones update it, and its shape stays the same', async () => {
    const before = await eve.get('/mail/general')
    const stale = await eve.ask('PUT', '/mail/general', { body: { signature: 'x' }, headers: { 'if-match': '"v1"' } })
    assert.equal(stale.status, 412)
    const first = await eve.must('PUT', '/mail/general', {
      body: { ...before, signature: 'Kind regards' },
      headers: { 'if-match': '"v0"' },
    })
    assert.deepEqual([first.id, first.version, first.createdBy], [eve.tenantId, 1, eve.id])
    assert.deepEqual(Object.keys(first).sort(), Object.keys(before).sort())
    const second = await eve.must('PATCH', '/mail/general', {
      body: { domainStopList: ['spam.example'], subjectStopList: ['/^auto/', 'out of office'] },
    })
    assert.deepEqual([second.version, second.signature, second.domainStopList], [2, 'Kind regards', ['spam.example']])
    assert.deepEqual(await eve.get('/mail/general'), second)
    const events = await eve.get('/mail/general/history')
    assert.deepEqual(
      events.map((each: { type: string }) => each.type),
      ['mailGeneral.created', 'mailGeneral.updated'],
    )
    assert.deepEqual(events[1].changes.domainStopList, { from: [], to: ['spam.example'] })
    assert.equal((await ada.get('/mail/general')).version, 0)
  })

  test('the histories of the tenant and of its mail settings are separate', async () => {
    const kinds = new Set(
      (await eve.get(`/tenant/${eve.tenantId}/history`)).map((each: { entity: string }) => each.entity),
    )
    assert.deepEqual([...kinds], ['Tenant'])
  })

  test('concurrent first changes create one record', async () => {
    const writes = Array.from({ length: 6 }, (_, i) =>
      ada.must('PUT', '/mail/general', { body: { signature: `text ${i}` } }),
    )
    const versions = (await Promise.all(writes)).map(each => each.version)
    assert.deepEqual(versions.sort(), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await happened(6), ['mailGeneral.created', ...Array(5).fill('mailGeneral.updated')])
  })

  test('every invalid domain and pattern is reported', async () => {
    const { status, body } = await ada.ask('PUT', '/mail/general', {
      body: { domainStopList: ['ok.example', 'not a domain'], subjectStopList: ['fine', '/(unclosed/', '/a(?=b)/'] },
    })
    assert.equal(status, 400)
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/domainStopList/1', '/subjectStopList/1', '/subjectStopList/2'],
    )
  })

  test('null clears a list', async () => {
    await ada.put('/mail/general', { domainStopList: ['a.example'] })
    assert.deepEqual((await ada.put('/mail/general', { domainStopList: null })).domainStopList, [])
  })

  test('staff read them, and admins change them', async () => {
    assert.equal((await bob.ask('GET', '/mail/general')).status, 200)
    assert.equal((await bob.ask('PUT', '/mail/general', { body: { signature: 'Bob' } })).status, 403)
    const rob = await person({ name: 'Rob', role: roleCode.requester, kind: userKind.requester })
    assert.equal((await rob.ask('GET', '/mail/general')).status, 403)
  })
})
