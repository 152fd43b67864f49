import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tellingWords } from '../../documents/article/suggest-articles.ts'
import { documentState } from '../../documents/document-state.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { ownerKind } from '../../records/references/owner.ts'

const portal = { enabled: true, visitors: true }

describe('the knowledge base', async () => {
  const { ada, eve, nobody, person, database } = await sharedTestService()
  const slugOf = async (who: Person): Promise<string> => (await who.get('/session')).tenant.slug
  const [slug, others] = [await slugOf(ada), await slugOf(eve)]
  for (const who of [ada, eve]) await who.post('/container', { name: 'Help', kind: containerKind.desk, portal })
  const inside = await ada.post('/container', { name: 'Inside', private: true })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const write = async (name: string, body: string, values: object = {}, who: Person = ada) => {
    const document = await who.post('/docs/doc', { name, state: documentState.public, ...values })
    const { headers } = await who.ask('GET', `/docs/content/${document.id}`)
    const match = { 'if-match': headers.get('etag') ?? '' }
    assert.equal((await who.ask('PUT', `/docs/content/${document.id}`, { body: { body }, headers: match })).status, 200)
    return document
  }
  const read = (id: string, session = '', at = slug) =>
    nobody.ask('GET', `/portal/${at}/article/${id}${session === '' ? '' : `?session=${session}`}`)
  const suggest = (title: string, more: object = {}) => nobody.post(`/portal/${slug}/suggest`, { title, ...more })
  const vote = (id: string, session: string, helped: boolean, at = slug) =>
    nobody.ask('POST', `/portal/${at}/article/${id}/vote`, { body: { session, helped } })

  test('finds what a request is about', () => {
    assert.deepEqual(tellingWords('The printer does not print', 'Please help, the TONER is low!'), [
      'printer',
      'print',
      'toner',
      'low',
    ])
    assert.deepEqual(tellingWords('Hilfe', 'ich kann nicht'), [])
  })

  const toner = await write(
    'Change the toner',
    'Open the front of the zebraprinter. <script>alert(1)</script> **Then** pull.',
  )
  await write('Zebraprinter in general', 'It is a machine with a toner.')
  const group = await ada.post('/user-group', { name: 'Few' })
  const folder = await ada.post('/docs/folder', { name: 'Few', restrictedTo: [group.id] })
  const hidden = [
    await write('Draft toner', 'zebraprinter', { state: documentState.draft }),
    await write('Internal toner', 'zebraprinter', { state: documentState.internal }),
    await write('Restricted toner', 'zebraprinter', { restrictedTo: [group.id] }),
    await write('Toner in a restricted folder', 'zebraprinter', { folderId: folder.id }),
    await write('Toner of a private container', 'zebraprinter', {
      context: [{ owner: ownerKind.container, ownerId: inside.id }],
    }),
    await write('Archived toner', 'zebraprinter'),
    await write('Template toner', 'zebraprinter', { template: true }),
    await write('Their toner', 'zebraprinter', {}, eve),
  ]
  await ada.put(`/docs/doc/${hidden[5]?.id}`, { archived: true })
  const gone = await write('Deleted toner', 'zebraprinter')
  await ada.ask('DELETE', `/docs/doc/${gone.id}`)

  test('suggests the public articles that fit best, and no others', async () => {
    const { session, articles } = await suggest('How do I change the toner of my zebraprinter?', {
      description: 'is <b>low</b>',
    })
    assert.deepEqual(
      articles.map((each: { title: string }) => each.title),
      ['Change the toner', 'Zebraprinter in general'],
    )
    assert.doesNotMatch(articles[0].snippet, /<script/)
    assert.equal((await suggest('Zebraprinter', { session })).session, session)
    assert.deepEqual((await suggest('please help me')).articles, [])
    assert.equal((await nobody.ask('POST', `/portal/${slug}/suggest`, { body: { title: 5, more: 1 } })).status, 400)
    const { articles: ours } = await rita.post('/docs/article/suggest', { title: 'zebraprinter' })
    assert.equal(ours.length, 2)
  })

  test('shows visitors an article without its scripts, and what is not for them as if it did not exist', async () => {
    const { status, body, headers } = await read(toner.id)
    assert.deepEqual([status, body.title, headers.get('cache-control')], [200, 'Change the toner', 'no-store'])
    assert.match(body.html, /<strong>Then<\/strong>/)
    assert.doesNotMatch(body.html, /<script/)
    const page = await nobody.ask('GET', `//portal/${slug}/article/${toner.id}`)
    assert.match(page.body, /<strong>Then<\/strong>/)
    assert.doesNotMatch(page.body, /<script/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const absent = await read('01890000-0000-7000-8000-000000000000')
    for (const each of [...hidden, gone, { id: 'x' }]) {
      const answer = await read(each.id)
      assert.deepEqual([answer.status, answer.body.detail], [404, absent.body.detail], each.name)
      assert.equal((await nobody.ask('GET', `//portal/${slug}/article/${each.id}`)).status, 404)
    }
    assert.equal((await read(toner.id, '', others)).status, 404)
  })

  test('counts an answer once for each session, and only of sessions of its own', async () => {
    const { session } = await suggest('zebraprinter toner')
    const counts = async () => {
      const { views, helped, notHelped } = await ada.get(`/docs/doc/${toner.id}/usage`)
      return { views, helped, notHelped }
    }
    const before = await counts()
    for (const helped of [false, true, true]) assert.equal((await vote(toner.id, session, helped)).status, 204)
    await read(toner.id, session)
    assert.deepEqual(await counts(), { ...before, views: before.views + 1, helped: before.helped + 1 })
    const theirs = (await nobody.post(`/portal/${others}/suggest`, { title: 'zebraprinter' })).session
    const own = (await rita.post('/docs/article/suggest', { title: 'zebraprinter' })).session
    for (const foreign of [theirs, own, 'x', `x${session}`])
      assert.equal((await vote(toner.id, foreign, true)).status, 404)
    // Whoever has an account counts once, with or without a session, and not in that of somebody else.
    const known = await counts()
    for (const body of [{ session: own, helped: false }, { helped: false }, { session, helped: false }])
      assert.equal((await rita.ask('POST', `/docs/article/${toner.id}/reading`, { body })).status, 204)
    assert.deepEqual(await counts(), { ...known, views: known.views + 1, notHelped: known.notHelped + 1 })
    assert.equal((await vote(hidden[1]?.id, session, true)).status, 404)
    const rows = await database.single(
      tenantCaller(ada.tenantId),
      ctx =>
        ctx.sql`select 1 from article_reading where tenant_id = ${ada.tenantId} and document_id = any(${hidden.map(each => each.id)}::uuid[])`,
    )
    assert.equal(rows.length, 0)
    assert.deepEqual((await rita.ask('GET', `/docs/doc/${toner.id}/usage`)).status, 403)
  })

  test('takes answers from its page', async () => {
    const page = await nobody.ask('GET', `//portal/${slug}/article/${toner.id}`)
    const session = /name="session" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const { helped } = await ada.get(`/docs/doc/${toner.id}/usage`)
    const answer = await nobody.ask('POST', `//portal/${slug}/article/${toner.id}/vote`, {
      body: new URLSearchParams({ session, helped: 'true' }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assert.equal(answer.status, 200)
    assert.match(answer.body, /Thank you/)
    assert.equal((await ada.get(`/docs/doc/${toner.id}/usage`)).helped, helped + 1)
  })

  test('reports the tickets that were avoided, by document and by period', async () => {
    const lamp = await write('Change the quokkalamp', 'Turn it.')
    const bulb = await write('Bulbs of the quokkalamp', 'There are two.')
    const read = async (who: Person, id: string, session: string, helped?: boolean) =>
      who.ask('POST', `/docs/article/${id}/reading`, {
        body: { session, ...(helped === undefined ? {} : { helped }) },
      })
    const asker = (name: string) => person({ name, role: roleCode.requester, kind: userKind.requester })
    const asks = async (who: Person) => (await who.post('/docs/article/suggest', { title: 'quokkalamp' })).session
    const [avoids, files, dislikes] = [await asker('Ann'), await asker('Ben'), await asker('Cid')]
    // One ticket, although two articles helped.
    const first = await asks(avoids)
    for (const id of [lamp.id, bulb.id]) await read(avoids, id, first, true)
    await read(files, lamp.id, await asks(files), true)
    await files.post('/ticket', { title: 'The quokkalamp is dark' })
    await read(dislikes, lamp.id, await asks(dislikes), false)
    const { session } = await nobody.post(`/portal/${slug}/suggest`, { title: 'quokkalamp' })
    await vote(lamp.id, session, true)
    // Came by a link: no request was about to be written.
    const direct = await nobody.get(`/portal/${slug}/article/${lamp.id}`)
    await vote(lamp.id, direct.session, true)

    const now = new Date()
    const period = { startDate: now.toISOString(), endDate: now.toISOString(), timezone: 'UTC' }
    const rows = await ada.post('/insight/report/knowledge', period)
    const row = rows.find((each: { document: string }) => each.document === lamp.id)
    const { drill, ...measured } = row
    assert.deepEqual(measured, {
      ...{ document: lamp.id, documentLabel: 'Change the quokkalamp', suggested: 4, views: 5, helped: 4, notHelped: 1 },
      ...{ helpfulness: 0.8, ticketsAvoided: 2, usedInReplies: 0 },
    })
    assert.deepEqual(
      (await ada.get(`/insight/drill/${drill}`)).map((each: { id: string }) => each.id),
      [lamp.id],
    )
    const [day] = await ada.post('/insight/report/knowledge', { ...period, groupBy: ['day'] })
    assert.equal(day.day, now.toISOString().slice(0, 10))
    const long = { startDate: '2020-01-01T00:00:00Z', endDate: '2020-02-01T00:00:00Z' }
    assert.deepEqual(await ada.post('/insight/report/knowledge', long), [])
    const { ticketsAvoided } = await ada.get(`/docs/doc/${bulb.id}/usage`)
    assert.equal(ticketsAvoided, 0)
    const csv = await ada.ask('POST', '/insight/report/knowledge', { body: period, headers: { accept: 'text/csv' } })
    assert.match(csv.body, /Change the quokkalamp/)
    assert.deepEqual(
      await eve
        .post('/insight/report/knowledge', { ...period, groupBy: ['document'] })
        .then(found => found.filter((each: { document: string }) => each.document === lamp.id)),
      [],
    )
    assert.equal((await rita.ask('POST', '/insight/report/knowledge', { body: period })).status, 403)
  })
})
