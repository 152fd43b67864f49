import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sharedTestService } from '../../../test/support/people.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { containerKind } from '../container-kind.ts'
import { momentCodes } from '../screen/screen-moment.ts'

const { ada, bob, eve, person, happened } = await sharedTestService()
const desk = await ada.post('/container', { name: 'Desk' })
const shop = await ada.post('/container', { name: 'Shop' })

const item = (values: object = {}, by = ada) => by.post('/item', { title: 'Work', containerId: desk.id, ...values })
const label = (name: string, values: object = {}) => ada.post('/label', { name, ...values })
const tagsOf = async (id: string) => (await ada.get(`/item/${id}`)).Tags
const asked = async (tag: string, path = 'tags') => {
  const filter = await ada.post(`/container/${desk.id}/filter`, {
    name: 'Asked',
    criteria: {
      conditionGroup: [{ condition: [{ id: 'a', leftSide: path, operator: operator.contains, rightSide: tag }] }],
    },
  })
  const found = await ada.get(`/container/${desk.id}/filter/${filter.id}/items`)
  return found.map((each: { id: string }) => each.id)
}

describe('labels', () => {
  test('are created by the first item that names them, and found again without regard to case and accents', async () => {
    const first = await item({ Tags: ['Hardware', ' urgent '] }, bob)
    assert.deepEqual(first.Tags, ['Hardware', 'urgent'])
    assert.equal(first.labels.length, 2)
    const second = await item({ Tags: ['HARDWARE', 'hardware', 'ürgent', ' '] })
    assert.deepEqual([second.Tags, second.labels], [['Hardware', 'urgent'], first.labels])
    const hardware = await ada.get(`/label/${first.labels[0]}`)
    assert.deepEqual(
      [hardware.name, hardware.owner, hardware.usageCount, hardware.active, hardware.createdBy],
      ['Hardware', ownerKind.tenant, 2, true, bob.id],
    )
  })

  test('are given by name or by id; if both are sent, the one that differs from the stored item is used', async () => {
    const [a, b] = [await label('by name'), await label('by id')]
    const made = await item({ Tags: ['by name'], labels: [b.id] })
    assert.deepEqual(made.Tags, ['by id'])
    const renamed = await ada.put(`/item/${made.id}`, { ...made, Tags: ['by name', 'by id'] })
    assert.deepEqual(renamed.labels, [a.id, b.id])
    const less = await ada.put(`/item/${made.id}`, { ...renamed, labels: [a.id.toUpperCase()] })
    assert.deepEqual([less.Tags, less.labels], [['by name'], [a.id]])
    const same = await ada.put(`/item/${made.id}`, less)
    assert.equal(same.version, less.version)
    assert.deepEqual((await ada.put(`/item/${made.id}`, { Tags: null })).labels, [])
    const history = await ada.get(`/item/${made.id}/history`)
    assert.deepEqual(history.at(-1).changes, {
      labels: { from: [a.id], to: [] },
      Tags: { from: ['by name'], to: [] },
    })
  })

  test('show a new name everywhere at once, and are found by their aliases', async () => {
    const bug = await label('bug', { aliases: ['defect', 'Fault'] })
    const made = await item({ Tags: ['DEFECT'] })
    assert.deepEqual(made.Tags, ['bug'])
    await ada.put(`/label/${bug.id}`, { name: 'error' })
    assert.deepEqual(await tagsOf(made.id), ['error'])
    assert.deepEqual((await item({ Tags: ['fault'] })).labels, [bug.id])
    assert.notDeepEqual((await item({ Tags: ['bug'] })).labels, [bug.id])
  })

  test('have names and aliases that are unique within their owner', async () => {
    await label('Taken', { aliases: ['also taken'] })
    for (const body of [{ name: 'TAKEN' }, { name: 'Also Táken' }, { name: 'free', aliases: ['x', 'taken'] }]) {
      const { status, body: problem } = await ada.ask('POST', '/label', { body })
      assert.deepEqual([status, problem.code], [422, 'already-taken'])
    }
    const own = await label('taken', { owner: ownerKind.container, ownerId: desk.id })
    assert.deepEqual((await item({ Tags: ['taken'] })).labels, [own.id])
    assert.notDeepEqual((await item({ Tags: ['taken'], containerId: shop.id })).labels, [own.id])
    const { status, body } = await ada.ask('POST', '/item', {
      body: { title: 'x', containerId: shop.id, labels: [own.id] },
    })
    assert.deepEqual([status, body.code], [422, 'label-elsewhere'])
    const back = await ada.ask('PUT', `/label/${own.id}`, { body: { owner: ownerKind.tenant, ownerId: '' } })
    assert.deepEqual([back.status, back.body.code], [422, 'already-taken'])
  })

  test('are created once when twenty concurrent requests use the same new name', async () => {
    const names = [...Array(20).keys()].map(i => (i % 2 ? ['New Thing', 'other thing'] : ['other thing', 'new thing']))
    const made = await Promise.all(names.map(Tags => item({ Tags })))
    assert.equal(new Set(made.flatMap(each => each.labels)).size, 2)
    const inOneGo = await Promise.all(
      [...Array(10).keys()].map(i =>
        ada.ask('POST', '/item', {
          body: { title: 'x', Tags: ['Later', 'Sooner'] },
          headers: { 'idempotency-key': `labels-${i}` },
        }),
      ),
    )
    assert.deepEqual([...new Set(inOneGo.map(each => each.status))], [201])
    assert.equal(new Set(inOneGo.flatMap(each => each.body.labels)).size, 2)
  })

  test('are not created by a dry run', async () => {
    const dryRun = await ada.ask('POST', '/item?dryRun=true', { body: { title: 'x', Tags: ['never made'] } })
    assert.deepEqual(dryRun.body.would.Tags, ['never made'])
    assert.deepEqual(await ada.get('/label?name=never made'), [])
    assert.deepEqual((await item({ Tags: ['never made'] })).Tags, ['never made'])
  })

  test('can be set on many items by one call', async () => {
    const { body } = await ada.ask('POST', '/item/bulk', {
      body: [...Array(30).keys()].map(i => ({ title: `bulk ${i}`, Tags: ['in bulk', `bulk ${i % 3}`] })),
    })
    assert.ok(body.every((each: { status: number }) => each.status === 201))
    const [inBulk] = await ada.get('/label?name=in bulk')
    assert.equal(inBulk.usageCount, 30)
    assert.equal((await ada.get(`/item?labels=${inBulk.id}`)).length, 30)
    assert.equal((await ada.get('/item?tags=IN BULK,nothing')).length, 30)
    assert.equal((await ada.get('/item?tags=bulk 1')).length, 10)
  })

  test('are found by filters, by name, alias and id', async () => {
    const { id } = await label('Sought', { aliases: ['looked for'] })
    const made = await item({ Tags: ['sought'] })
    await item({ Tags: ['not'] })
    for (const tag of ['SOUGHT', 'Looked For', id, '["x", "sóught"]'])
      assert.deepEqual(await asked(tag), [made.id], tag)
    assert.deepEqual(await asked('sought', 'labels'), [made.id])
    assert.deepEqual(await asked("s'); drop table"), [])
  })

  test('that a requester names and that do not exist are ignored with a warning', async () => {
    const rosa = await person({ name: 'Rosa', role: roleCode.requester })
    await label('known')
    const help = await ada.post('/container', { name: 'Help', kind: containerKind.desk })
    const sections = [{ fields: [{ fieldId: 'title' }, { fieldId: 'Tags' }] }]
    await ada.post('/screen', { name: 'Ask', containerId: help.id, moment: momentCodes.portal, sections })
    const made = await item({ Tags: ['known', 'unknown'], containerId: help.id }, rosa)
    assert.deepEqual([made.Tags, made.warnings.length], [['known'], 1])
  })

  test('that an item of a private container creates belong to the container', async () => {
    const vault = await ada.post('/container', { name: 'Vault', private: true })
    const made = await item({ Tags: ['secret plan'], containerId: vault.id })
    const secret = await ada.get(`/label/${made.labels[0]}`)
    assert.deepEqual([secret.owner, secret.ownerId], [ownerKind.container, vault.id])
    assert.equal((await bob.ask('GET', `/label/${secret.id}`)).status, 404)
    assert.ok(!JSON.stringify(await bob.get('/label')).includes('secret plan'))
    assert.equal((await eve.ask('GET', `/label/${secret.id}`)).status, 404)
    const moved = await ada.put(`/item/${made.id}`, { containerId: desk.id })
    assert.deepEqual(moved.Tags, ['secret plan'])
    assert.notDeepEqual(moved.labels, made.labels)
  })

  test('are created by members and managed by managers', async () => {
    const cleo = await person({ name: 'Cleo', role: roleCode.manager })
    const { id } = await bob.post('/label', { name: 'Bob’s' })
    assert.equal((await bob.ask('PUT', `/label/${id}`, { body: { name: 'x' } })).status, 403)
    assert.equal((await cleo.ask('PUT', `/label/${id}`, { body: { name: 'Cleo’s' } })).status, 200)
    assert.equal((await bob.ask('DELETE', `/label/${id}`)).status, 403)
  })
})

describe('labels of an exclusive group', () => {
  test('replace each other, and cannot be set together', async () => {
    const high = await label('severity: high', { group: 'Severity', exclusive: true })
    const low = await label('severity: low', { group: 'severity', exclusive: true })
    const made = await item({ labels: [high.id] })
    const both = await ada.put(`/item/${made.id}`, { labels: [high.id, low.id] })
    assert.deepEqual(both.labels, [low.id])
    const { status, body } = await ada.ask('POST', '/item', {
      body: { title: 'x', Tags: ['severity: high', 'severity: low'] },
    })
    assert.deepEqual([status, body.code], [422, 'exclusive-labels'])
  })
})

describe('the removal of a label', () => {
  test('removes it from all its items, and its restoration sets it again', async () => {
    const { id } = await label('fleeting')
    const made = await Promise.all([...Array(5).keys()].map(() => item({ Tags: ['a', 'fleeting', 'b'] })))
    const [first, second] = made
    await ada.delete(`/label/${id}`)
    assert.deepEqual(await happened(1), ['label.deleted'])
    assert.deepEqual(await tagsOf(first?.id), ['a', 'b'])
    const history = await ada.get(`/item/${first?.id}/history`)
    assert.deepEqual(history.at(-1).changes.labels, {
      from: first?.labels,
      to: first?.labels.filter((x: string) => x !== id),
    })
    assert.deepEqual(await asked('fleeting'), [])
    await ada.put(`/item/${second?.id}`, { Tags: ['other'] })
    const back = await ada.must('POST', `/label/${id}/restore`)
    assert.deepEqual([back.usageCount, back.deleted], [5, false])
    assert.deepEqual(new Set(await tagsOf(first?.id)), new Set(['a', 'b', 'fleeting']))
    assert.deepEqual(new Set(await tagsOf(second?.id)), new Set(['other', 'fleeting']))
    assert.equal((await asked('fleeting')).length, 5)
  })

  test('by a merge gives its items and its name to the other label until it is restored', async () => {
    const [a, b, c] = [
      await label('colour', { aliases: ['hue'] }),
      await label('color', { group: 'spelling', exclusive: true }),
      await label('kolor', { group: 'spelling' }),
    ]
    const one = await item({ labels: [a.id] })
    const two = await item({ Tags: ['x', 'colour', 'color'] })
    const three = await item({ labels: [c.id, a.id] })
    const left = await ada.post(`/label/${a.id}/merge`, { into: b.id })
    assert.deepEqual([left.id, left.aliases, left.usageCount], [b.id, ['colour', 'hue'], 3])
    assert.deepEqual(await tagsOf(one.id), ['color'])
    assert.deepEqual(await tagsOf(two.id), ['x', 'color'])
    assert.deepEqual(await tagsOf(three.id), ['color'])
    assert.equal((await ada.ask('GET', `/label/${a.id}`)).status, 404)
    assert.deepEqual((await item({ Tags: ['Hue'] })).labels, [b.id])
    await ada.must('POST', `/label/${a.id}/restore`)
    assert.deepEqual((await ada.get(`/label/${b.id}`)).aliases, [])
    assert.deepEqual(await tagsOf(one.id), ['colour'])
    assert.deepEqual(new Set(await tagsOf(two.id)), new Set(['x', 'color', 'colour']))
    assert.deepEqual(new Set(await tagsOf(three.id)), new Set(['kolor', 'colour']))
    assert.deepEqual((await item({ Tags: ['hue'] })).labels, [a.id])
  })

  test('is undone with its items and names, and so is its undo; deleted items are no obstacle', async () => {
    const set = async (method: string, path: string, body?: object) => {
      const { status, headers, body: told } = await ada.ask(method, path, body ? { body } : {})
      assert.ok(status < 300, JSON.stringify(told))
      return headers.get('change-set')
    }
    const [from, into] = [await label('Undone from', { aliases: ['uf'] }), await label('Undone into')]
    const [one, gone] = [await item({ Tags: ['Undone from'] }), await item({ Tags: ['Undone from'] })]
    await ada.delete(`/item/${gone.id}`)
    const merge = await set('POST', `/label/${from.id}/merge`, { into: into.id })
    const undo = await set('POST', `/change/${merge}/undo`)
    assert.deepEqual(await tagsOf(one.id), ['Undone from'])
    assert.deepEqual((await ada.get(`/label/${into.id}`)).aliases, [])
    assert.deepEqual((await item({ Tags: ['UF'] })).Tags, ['Undone from'])
    await set('POST', `/change/${undo}/undo`)
    assert.deepEqual([await tagsOf(one.id), (await item({ Tags: ['uf'] })).Tags], [['Undone into'], ['Undone into']])
    assert.equal((await ada.ask('GET', `/label/${from.id}`)).status, 404)
    const renamed = await set('PUT', `/label/${into.id}`, { name: 'Renamed' })
    await set('POST', `/change/${renamed}/undo`)
    assert.deepEqual((await item({ Tags: ['undone into'] })).labels, [into.id])
    const [made] = [await ada.ask('POST', '/label', { body: { name: 'Brief' } })]
    await set('POST', `/change/${made?.headers.get('change-set')}/undo`)
    assert.equal((await ada.ask('POST', '/label', { body: { name: 'Brief' } })).status, 201)
  })

  test('by a merge into itself, into an unknown label or into one with a narrower scope is refused', async () => {
    const [a, b] = [await label('wide'), await label('narrow', { owner: ownerKind.container, ownerId: desk.id })]
    const merge = (into: string) => ada.ask('POST', `/label/${a.id}/merge`, { body: { into } })
    assert.equal((await merge(a.id)).status, 400)
    assert.equal((await merge(crypto.randomUUID())).status, 422)
    assert.equal((await merge(b.id)).body.code, 'other-owner')
    assert.equal((await ada.ask('POST', `/label/${b.id}/merge`, { body: { into: a.id } })).status, 200)
  })
})
