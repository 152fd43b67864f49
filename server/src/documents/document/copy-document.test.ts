import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { documentState } from '../document-state.ts'

describe('a document made of another one', async () => {
  const { ada, bob, person } = await sharedTestService()
  const vera = await person({ name: 'Vera', role: roleCode.readOnly })

  test('a template fills in name, author and day; another text is copied as it is', async () => {
    const text = '# {{ name }}\n\nby {{ author }} on {{ today }}{{ nothing }}'
    const template = await ada.post('/docs/doc', { name: 'Minutes', template: true, aiAccess: true })
    const other = await ada.post('/docs/doc', { name: 'About Liquid' })
    for (const { id } of [template, other])
      await ada.must('PUT', `/docs/content/${id}`, { body: { body: text }, headers: { 'if-match': '*' } })
    const {
      status,
      body: made,
      headers,
    } = await bob.ask('POST', `/docs/doc/${template.id}/copy`, { body: { name: 'Monday' } })
    assert.deepEqual([status, headers.get('location')], [201, `/api/docs/doc/${made.id}`])
    assert.deepEqual([made.name, made.author, made.template, made.aiAccess], ['Monday', 'Bob', false, true])
    const { body, version } = await bob.get(`/docs/content/${made.id}`)
    assert.match(body, /^# Monday\n\nby Bob on \d{4}-\d\d-\d\d$/)
    assert.equal(version, 1)
    const copy = await bob.post(`/docs/doc/${other.id}/copy`, {})
    assert.deepEqual([copy.name, (await bob.get(`/docs/content/${copy.id}`)).body], ['About Liquid', text])
    assert.deepEqual(
      (await bob.get('/docs/doc?template=true')).map((each: { id: string }) => each.id),
      [template.id],
    )
  })

  test('is no wider than what it was made of, and needs the permission to create documents', async () => {
    const group = (await ada.post('/user-group', { name: 'Few', members: [bob.id] })).id
    const open = await ada.post('/docs/doc', { name: 'Open', state: documentState.public, restrictedTo: [group] })
    const copy = await bob.post(`/docs/doc/${open.id}/copy`, {})
    assert.deepEqual([copy.state, copy.restrictedTo, copy.aiAccess], [documentState.internal, [group], false])
    assert.equal(
      (await bob.ask('POST', `/docs/doc/${open.id}/copy`, { body: { state: documentState.public } })).status,
      403,
    )
    assert.equal((await bob.ask('POST', `/docs/doc/${open.id}/copy`, { body: { folder: 'x' } })).status, 400)
    const plain = await ada.post('/docs/doc', { name: 'Plain' })
    assert.equal((await vera.ask('POST', `/docs/doc/${plain.id}/copy`, { body: {} })).status, 403)
    await ada.put(`/docs/doc/${plain.id}`, { template: true })
    await ada.must('PUT', `/docs/content/${plain.id}`, { body: { body: '{% if %}' }, headers: { 'if-match': '*' } })
    const broken = await bob.ask('POST', `/docs/doc/${plain.id}/copy`, { body: {} })
    assert.deepEqual([broken.status, broken.body.code], [422, 'template-fault'])
  })
})
