import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  removedComparisons,
  setRowLevelSecurity,
  withoutTenantComparison,
} from '../../../test/support/isolation/tenant-isolation.ts'
import { Person, serveOn, sharedTestService, startTestService } from '../../../test/support/people.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'

interface Hit {
  kind: string
  entity: string
  id: string
  key?: string
  title: string
  itemId?: string
  container: { id: string; key: string; name: string } | null
  snippet: string
  rank: number
}

describe('the search over all kinds', async () => {
  const { ada, bob, eve, person, databaseUrl, dataDir } = await startTestService()
  const desk = await ada.post('/container', { name: 'Desk', key: 'DESK' })
  const vault = await ada.post('/container', { name: 'Vault', key: 'VAULT', private: true })
  const rita = await person({
    name: 'Rita',
    role: roleCode.requester,
    kind: userKind.requester,
    email: 'rita@example.com',
  })
  await ada.post('/field/text', { name: 'Vendor' })
  const printer = await ada.post('/item', {
    title: 'Printer on floor 3 does not answer',
    description: 'The école has tried <b>everything</b> & more, the toner too.',
    containerId: desk.id,
    Tags: ['hardware'],
    Field: [{ key: 'vendor', value: 'Ricoh Zürich' }],
  })
  const scanner = await ada.post('/item', {
    title: 'Scanner is slow',
    description: 'Unlike the printer it answers, on floor 3 as well.',
    containerId: desk.id,
    requesterId: rita.id,
  })
  const secret = await ada.post('/item', { title: 'Printer contract of the board', containerId: vault.id })

  const search = async (q: string, more = '', who = ada): Promise<Hit[]> =>
    await who.get(`/search?q=${encodeURIComponent(q)}${more}`)
  const titles = async (q: string, more = '', who = ada) => (await search(q, more, who)).map(each => each.title)

  test('finds items by title, text, key, label and custom value, best match first', async () => {
    assert.deepEqual(await titles('printer toner'), [printer.title])
    assert.deepEqual(await titles('printer', `&container=${desk.id}`), [printer.title, scanner.title])
    assert.deepEqual(await titles('ECOLE'), [printer.title])
    assert.deepEqual(await titles('hardware'), [printer.title])
    assert.deepEqual(await titles('ricoh zurich'), [printer.title])
    assert.deepEqual(await titles(printer.key), [printer.title])
    assert.deepEqual(await titles(scanner.key.toLowerCase()), [scanner.title])
    const [hit] = await search('toner')
    assert.deepEqual(
      { ...hit, rank: 0, updated: '' },
      {
        kind: 'item',
        entity: 'Item',
        id: printer.id,
        key: printer.key,
        title: printer.title,
        container: { id: desk.id, key: 'DESK', name: 'Desk' },
        snippet: 'The école has tried &lt;b&gt;everything&lt;/b&gt; &amp; more, the <mark>toner</mark> too.',
        rank: 0,
        updated: '',
      },
    )
  })

  test('the last word may be a prefix, a phrase keeps its order, and words can be excluded', async () => {
    assert.deepEqual(await titles('scan'), [scanner.title])
    assert.deepEqual(await titles('scan '), [])
    assert.deepEqual(await titles('"floor 3" slow'), [scanner.title])
    assert.deepEqual(await titles('"3 floor"'), [])
    assert.deepEqual((await titles('floor -toner')).sort(), [scanner.title])
    assert.deepEqual((await titles('toner or slow')).sort(), [printer.title, scanner.title].sort())
    assert.deepEqual(await titles('-toner'), [])
    assert.deepEqual(await titles('" & | ! :* \' \\ ( <-> é"'), [])
  })

  test('a mistyped word finds similar words, and the reply says so', async () => {
    for (const [typed, meant] of [
      ['prnter toner', 'printer toner'],
      ['pritner toner', 'printer toner'],
      ['scaner slow', 'scanner slow'],
    ] as const) {
      const { body, headers } = await ada.ask('GET', `/search?q=${encodeURIComponent(typed)}`)
      assert.ok(body.length > 0, typed)
      assert.equal(decodeURIComponent(headers.get('did-you-mean') ?? ''), meant)
    }
    const { body, headers } = await ada.ask('GET', '/search?q=xylophone')
    assert.deepEqual([body, headers.get('did-you-mean')], [[], null])
  })

  test('a caller finds only records that they may see, and learns no words of others', async () => {
    assert.deepEqual((await titles('printer')).length, 3)
    assert.deepEqual((await titles('printer', '', bob)).sort(), [printer.title, scanner.title].sort())
    assert.deepEqual(await titles('printer', '', rita), [scanner.title])
    assert.deepEqual(await titles('printer', '', eve), [])
    assert.deepEqual(await titles(secret.key, '', bob), [])
    const { body, headers } = await bob.ask('GET', '/search?q=contrakt')
    assert.deepEqual([body, headers.get('did-you-mean')], [[], null])
    assert.deepEqual(await titles('printer', `&container=${vault.id}`, bob), [])
  })

  test('an annotation is found by callers who may read it', async () => {
    await ada.post('/annotation', {
      itemId: scanner.id,
      kind: annotationKind.note,
      body: 'An internal word about zebras <script>',
    })
    await ada.post('/annotation', {
      itemId: scanner.id,
      kind: annotationKind.reply,
      body: 'A public word about giraffes',
    })
    const [note] = await search('zebras')
    assert.equal(note?.entity, 'Annotation')
    assert.equal(note?.itemId, scanner.id)
    assert.equal(note?.snippet, 'An internal word about <mark>zebras</mark> &lt;script&gt;')
    assert.equal((await search('zebras', '', bob)).length, 1)
    assert.equal((await search('zebras', '', rita)).length, 0)
    assert.equal((await search('giraffes', '', rita)).length, 1)
    assert.equal((await search('giraffes', '', eve)).length, 0)
    assert.equal((await search('giraffes', '&kind=item,document')).length, 0)
  })

  test('documents are found by name and content by callers who may see them', async () => {
    const handbook = await ada.post('/docs/doc', { name: 'Handbook of lemurs' })
    const content = await ada.ask('GET', `/docs/content/${handbook.id}`)
    await ada.must('PUT', `/docs/content/${handbook.id}`, {
      body: { body: 'How to feed a lemur: bananas.' },
      headers: { 'if-match': content.headers.get('etag') ?? '' },
    })
    assert.deepEqual(await titles('bananas'), ['Handbook of lemurs'])
    assert.deepEqual(await titles('lemurs', '', bob), ['Handbook of lemurs'])
    const keepers = await ada.post('/user-group', { name: 'Keepers', members: [ada.id] })
    await ada.put(`/docs/doc/${handbook.id}`, { restrictedTo: [keepers.id], name: 'Manual of lemurs' })
    assert.deepEqual(await titles('bananas', '', bob), [])
    assert.deepEqual(await titles('bananas', '', rita), [])
    assert.deepEqual(await titles('handbook'), [])
    assert.deepEqual(await titles('manual'), ['Manual of lemurs'])
    await ada.delete(`/docs/doc/${handbook.id}`)
    assert.deepEqual(await titles('manual'), [])
  })

  test('a changed record is found at once, and a deleted one is not found', async () => {
    const item = await ada.post('/item', { title: 'Quokka', containerId: desk.id, Tags: ['marsupial'] })
    assert.deepEqual(await titles('quokka'), ['Quokka'])
    await ada.put(`/item/${item.id}`, {
      title: 'Wombat',
      Field: [{ key: 'vendor', value: 'Tasmania' }],
      Tags: ['digger'],
    })
    assert.deepEqual(await titles('quokka '), [])
    for (const word of ['wombat', 'tasmania', 'digger', 'wonbat'])
      assert.deepEqual(await titles(word), ['Wombat'], word)
    assert.deepEqual(await titles('marsupial'), [])
    await ada.put(`/item/${item.id}`, { status: 'Done' })
    assert.deepEqual(await titles('wombat'), ['Wombat'])
    await ada.delete(`/item/${item.id}`)
    assert.deepEqual(await titles('wombat'), [])
    await ada.post(`/item/${item.id}/restore`, {})
    assert.deepEqual(await titles('wombat'), ['Wombat'])
  })

  test('a label is found by its current name', async () => {
    await ada.post('/item', { title: 'With a label', containerId: desk.id, Tags: ['okapi'] })
    const [label] = await ada.get('/label?name=okapi')
    await ada.put(`/label/${label.id}`, { name: 'tapir' })
    assert.deepEqual(await titles('tapir'), ['With a label'])
    assert.deepEqual(await titles('okapi'), [])
  })

  test('paging returns every hit once', async () => {
    for (let i = 0; i < 7; i++) await ada.post('/item', { title: `Meerkat ${i}`, containerId: desk.id })
    const seen: string[] = []
    let path: string | undefined = '/search?q=meerkat&limit=3'
    for (let page = 0; path && page < 5; page++) {
      const { body, headers } = await ada.ask('GET', path)
      seen.push(...body.map((each: Hit) => each.title))
      path = /<\/api([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    }
    assert.equal(seen.length, 7)
    assert.equal(new Set(seen).size, 7)
    const { headers } = await ada.ask('GET', '/search?q=meerkat&limit=3')
    const other = await ada.ask('GET', `/search?q=printer&cursor=${headers.get('x-next-cursor')}`)
    assert.equal(other.body.Fields[0].Code, 'cursor-mismatch')
    assert.equal((await ada.ask('GET', '/search?q=x&limit=0&kind=cow')).body.Fields.length, 2)
  })

  test('the tenant condition and row level security each exclude other tenants by themselves', async () => {
    const { base } = await serveOn(withoutTenantComparison(databaseUrl), dataDir)
    const withoutOne = new Person(base, eve.key, eve.id, eve.tenantId)
    const tried = async (who: Person) => {
      for (const q of ['printer', 'prnter toner', printer.key, 'zebras', 'meerkat'])
        for (const path of [`/search?q=${encodeURIComponent(q)}`, `/item?q=${encodeURIComponent(q)}`]) {
          const { body, headers } = await who.ask('GET', path)
          assert.deepEqual([body, headers.get('did-you-mean')], [[], null], path)
        }
    }
    const before = removedComparisons.count
    await tried(withoutOne)
    assert.ok(removedComparisons.count > before)
    await setRowLevelSecurity(databaseUrl, 'off')
    try {
      await tried(eve)
      // Words are matched by functions that know the tenant of the session only; a key is compared in the statement itself.
      assert.notDeepEqual(await withoutOne.get(`/search?q=${printer.key}`), [], 'without both it would be found')
    } finally {
      await setRowLevelSecurity(databaseUrl, 'on')
    }
  })
})

describe('the search for a frequent word', async () => {
  const { ada, database } = await sharedTestService()
  const rows = Array.from({ length: 505 }, (_, n) => ({ title: `Widget ${n}` }))
  await ada.post('/item/bulk', rows)

  test('finds the newest records first, by their age, and paging continues with older ones', async () => {
    const first = await ada.ask('GET', '/search?q=widget&kind=item&limit=20')
    assert.equal(first.body.length, 20)
    const cursor = first.headers.get('x-next-cursor')
    const second: Hit[] = await ada.get(`/search?q=widget&kind=item&limit=20&cursor=${cursor}`)
    const titles = new Set([...first.body, ...second].map((hit: Hit) => hit.title))
    assert.equal(titles.size, 40)
    assert.ok(titles.has('Widget 504'), 'the last one made is among the first')
  })

  test('finds old records if no newer record has the word', async () => {
    // 505 records that are all older than the last two ages of the tenant.
    await database.transaction(tenantCaller(ada.tenantId), async ctx => {
      await ctx.sql`update item_search set tsv = search_vector('widget age000000001', '', '') where tenant_id = ${ada.tenantId}`
    })
    assert.equal((await ada.get('/search?q=widget&kind=item&limit=20')).length, 20)
  })
})
