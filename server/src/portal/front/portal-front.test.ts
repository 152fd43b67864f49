import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService, startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { grantEffect } from '../../identity/grant-effect.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

type Type = Record<string, string>

describe('a portal', async () => {
  const { ada, bob, eve, nobody, person } = await sharedTestService()
  const slugOf = async (who: typeof ada): Promise<string> => (await who.get('/session')).tenant.slug
  const slug = await slugOf(ada)
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const desk = (values: object = {}) => ada.post('/container', { name: 'Help', kind: containerKind.desk, ...values })
  const seenBy = async (id: string) => (await rita.ask('GET', `/container/${id}`)).status
  const asks = (containerId: string, more: object = {}) =>
    rita.ask('POST', '/ticket', { body: { title: 'No light', containerId, ...more } })
  const enabled = { enabled: true, visitors: true, types: [] }

  test('is enabled for requesters on a new service desk, and on nothing else', async () => {
    const closed = { enabled: false, visitors: false, types: [] }
    assert.deepEqual((await desk()).portal, { ...closed, enabled: true })
    const project = await ada.post('/container', { name: 'Plans' })
    assert.deepEqual(project.portal, closed)
    await ada.put(`/container/${project.id}`, { kind: containerKind.desk })
    assert.equal(await seenBy(project.id), 200)
    const back = await ada.put(`/container/${project.id}`, { kind: containerKind.project })
    assert.deepEqual([back.portal, await seenBy(project.id)], [closed, 404])
  })

  test('that is switched off hides the desk from requesters, who keep their tickets', async () => {
    const { id } = await desk()
    const { body: ticket } = await asks(id)
    const { headers } = await ada.ask('PATCH', `/container/${id}`, { body: { portal: { enabled: false } } })
    assert.equal(await seenBy(id), 404)
    assert.ok(!(await rita.get('/container')).some((each: Type) => each.id === id))
    const refused = await asks(id)
    assert.deepEqual([refused.status, refused.body.code], [422, 'unknown-reference'])
    assert.equal((await rita.ask('GET', `/ticket/${ticket.id}`)).status, 200)
    assert.equal((await bob.ask('GET', `/container/${id}`)).status, 200)
    assert.equal((await ada.ask('POST', `/change/${headers.get('change-set')}/undo`, { body: {} })).status, 200)
    assert.equal(await seenBy(id), 200)
  })

  test('that is switched off takes no request of somebody who was granted to see the desk', async () => {
    const { id } = await desk({ portal: { enabled: false } })
    await ada.post('/access-control', {
      ...{ userId: rita.id, owner: ownerKind.container, ownerId: id, role: roleCode.requester },
      effect: grantEffect.allow,
    })
    assert.equal(await seenBy(id), 200)
    assert.equal((await asks(id)).body.code, 'portal-disabled')
  })

  test('offers some of the processes of its desk', async () => {
    const [one, two] = [await ada.post('/process', { name: 'Laptop' }), await ada.post('/process', { name: 'Badge' })]
    const processIds = [one.id, two.id]
    const { id } = await desk({ processIds, defaultProcessId: two.id, portal: { ...enabled, types: [one.id] } })
    const names = async () => (await rita.get(`/container/${id}/request-type`)).map((each: Type) => each.name)
    assert.deepEqual(await names(), ['Laptop'])
    assert.equal((await asks(id)).body.code, 'not-on-portal')
    assert.equal((await asks(id, { processId: two.id })).body.code, 'not-on-portal')
    assert.equal((await asks(id, { processId: one.id })).status, 201)
    assert.equal((await bob.ask('POST', '/ticket', { body: { title: 'x', containerId: id } })).status, 201)
    const offered = (await nobody.get(`/portal/${slug}`)).types.filter((each: Type) => each.containerId === id)
    assert.deepEqual(offered, [
      {
        containerId: id,
        desk: 'Help',
        processId: one.id,
        name: 'Laptop',
        description: '',
        image: '',
        isDefault: false,
      },
    ])
    await ada.ask('DELETE', `/process/${one.id}`)
    assert.deepEqual((await ada.get(`/container/${id}`)).portal.types, [])
  })

  test('is refused where it does not fit, with every fault', async () => {
    const { id } = await ada.post('/process', { name: 'Elsewhere' })
    const { status, body } = await ada.ask('POST', '/container', {
      body: { name: 'Plans', portal: { enabled: true, types: [id] } },
    })
    assert.deepEqual([status, body.code], [422, 'wrong-portal'])
    assert.deepEqual(
      body.Fields.map((each: { Pointer: string }) => each.Pointer),
      ['/portal/enabled', '/portal/types/0'],
    )
    const { status: off } = await ada.ask('POST', '/container', {
      body: { name: 'Plans', kind: containerKind.desk, portal: { visitors: true } },
    })
    assert.equal(off, 422)
  })

  test('shows visitors the branding and what they can ask for, and nothing that is for requesters or staff alone', async () => {
    await ada.post('/admin/setting', { key: 'branding.name', value: 'Acme' })
    const open = await desk({ name: 'Open desk', portal: enabled, costCenter: 'walrus' })
    const [inside, secret] = [
      await desk({ name: 'Inside desk' }),
      await desk({ name: 'Private desk', portal: enabled, private: true }),
    ]
    const { body, headers } = await nobody.ask('GET', `/portal/${slug}`)
    assert.deepEqual([body.branding.name, headers.get('cache-control')], ['Acme', 'no-store'])
    const ids = body.types.map((each: Type) => each.containerId)
    assert.deepEqual(
      [open, inside, secret].map(each => ids.includes(each.id)),
      [true, false, false],
    )
    assert.doesNotMatch(JSON.stringify(body), /walrus|Inside|Private/)
    const form = await nobody.get(`/portal/${slug}/form?containerId=${open.id}`)
    assert.ok(form.sections[0].fields.some((each: Type) => each.fieldId === 'title'))
    for (const hidden of [inside.id, secret.id, 'x', ''])
      assert.equal((await nobody.ask('GET', `/portal/${slug}/form?containerId=${hidden}`)).status, 404)
  })

  test('does not exist where no desk is open to visitors, as in a tenant that does not exist', async () => {
    const others = await slugOf(eve)
    await eve.post('/container', { name: 'Inside', kind: containerKind.desk })
    const [closed, absent] = [await nobody.ask('GET', `/portal/${others}`), await nobody.ask('GET', '/portal/no-such')]
    assert.deepEqual([closed.status, closed.body.detail], [404, absent.body.detail])
    const open = await eve.post('/container', { name: 'Theirs', kind: containerKind.desk, portal: enabled })
    assert.deepEqual(
      (await nobody.get(`/portal/${others}`)).types.map((each: Type) => each.containerId),
      [open.id],
    )
    assert.equal((await nobody.ask('GET', `/portal/${slug}/form?containerId=${open.id}`)).status, 404)
    assert.equal((await rita.ask('GET', `/container/${open.id}`)).status, 404)
  })
})

test('a network asks a portal so often in a minute', async () => {
  const { nobody } = await startTestService()
  const statuses = []
  for (let i = 0; i < 150; i++) statuses.push((await nobody.ask('GET', '/portal/no-such')).status)
  assert.deepEqual([...new Set(statuses)], [404, 429])
})
