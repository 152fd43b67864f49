import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Person, sharedTestService } from '../../../test/support/people.ts'

interface Outcome {
  index?: number
  id: string
  outcome: string
  status: number
  code?: string
  Fields?: { Field: string; Code: string }[]
}

describe('many entries at once', async () => {
  const { ada, bob, eve, person } = await sharedTestService()
  const item = await ada.post('/item', { title: 'Work' })
  const date = '2026-03-03'
  const entry = (more: object = {}) => ({ itemId: item.id, date, minutes: 10, ...more })
  const book = async (who: Person, rows: unknown[], query = '') =>
    await who.ask('POST', `/time/bulk${query}`, { body: rows })
  const said = (all: Outcome[]) => all.map(each => each.code ?? each.outcome)
  const ids = (all: Outcome[]) => all.map(each => each.id)
  const lengths = async (who: Person) =>
    (await who.get('/time?sort=seconds')).map((each: { seconds: number }) => each.seconds)

  test('are booked each by itself, in one change set', async () => {
    const ann = await person({ name: 'Ann' })
    const foreign = await eve.post('/item', { title: 'Foreign' })
    const rows = [
      entry({ externalId: 'a' }),
      entry({ minutes: -1 }),
      entry({ itemId: foreign.id }),
      { date, minutes: 5 },
      entry({ hours: 23, minutes: undefined }),
      entry({ hours: 1.5, minutes: undefined }),
      'none',
    ]
    const { status, body, headers } = await book(ann, rows)
    assert.equal(status, 200)
    assert.deepEqual(said(body), [
      'created',
      'validation',
      'unknown-reference',
      'time-target',
      'created',
      'day-full',
      'validation',
    ])
    assert.deepEqual(
      body.map((each: Outcome) => [each.index, each.status]),
      [201, 400, 422, 422, 201, 422, 400].map((each, index) => [index, each]),
    )
    assert.deepEqual([body[0].externalId, body[1].Fields[0].Field], ['a', 'minutes'])
    assert.deepEqual(await lengths(ann), [600, 82_800])
    await ann.post(`/change/${headers.get('change-set')}/undo`, undefined)
    assert.deepEqual(await lengths(ann), [])
  })

  test('with atomic, all are booked or none, and a dry run books none', async () => {
    const ben = await person({ name: 'Ben' })
    const refused = await book(ben, [entry(), entry({ minutes: -1 })], '?atomic=true')
    assert.deepEqual(
      [refused.status, refused.body.code, said(refused.body.results)],
      [422, 'entries-refused', ['created', 'validation']],
    )
    assert.deepEqual(
      refused.body.Fields.map((each: { Field: string }) => each.Field),
      ['1.minutes'],
    )
    const dry = await book(ben, [entry()], '?dryRun=true')
    assert.equal(dry.status, 200)
    assert.deepEqual(await lengths(ben), [])
    assert.equal((await book(ben, [entry(), entry()], '?atomic=true')).status, 200)
    assert.deepEqual(await lengths(ben), [600, 600])
  })

  test('are changed by one patch, and what is refused stays', async () => {
    const cam = await person({ name: 'Cam' })
    const [one, two] = ids((await book(cam, [entry(), entry({ note: 'Same' })])).body)
    const other = await bob.post('/time', entry())
    const patch = { note: 'Same', seconds: 600 }
    const change = async (body: object, who = cam) => await who.ask('PATCH', '/time', { body })
    const changed = await change({ ids: [two, one, other.id, 'x', one], patch })
    assert.deepEqual(
      changed.body.map((each: Outcome) => [each.id, each.code ?? each.outcome]),
      [
        [two, 'unchanged'],
        [one, 'updated'],
        [other.id, 'not-found'],
        ['x', 'not-found'],
      ],
    )
    const foreign = await change({ ids: [one], patch }, eve)
    assert.deepEqual(said(foreign.body), ['not-found'])
    const full = await change({ ids: [one, two], patch: { hours: 20 } })
    assert.deepEqual(said(full.body).sort(), ['day-full', 'updated'])
    await ada.post(`/change/${full.headers.get('change-set')}/undo`, undefined)
    const all = await change({ ids: [one, two], patch: { hours: 20 }, atomic: true })
    assert.deepEqual([all.status, all.body.code], [422, 'entries-refused'])
    assert.deepEqual(await lengths(cam), [600, 600])
    const wrong = await change({ ids: [one], patch: { minutes: -1, unknown: 1 } })
    assert.deepEqual(wrong.body.Fields.map((each: { Field: string }) => each.Field).sort(), [
      'patch.minutes',
      'patch.unknown',
    ])
    assert.equal((await change({ ids: [], patch })).status, 400)
  })

  test('are deleted, and come back by one undo', async () => {
    const dan = await person({ name: 'Dan' })
    const booked = ids((await book(dan, [entry(), entry(), entry()])).body)
    const other = await bob.post('/time', entry())
    const remove = async (query: string, who = dan) => await who.ask('DELETE', `/time?${query}`)
    const kept = await remove(`ids=${[...booked, other.id].join(',')}&atomic=true`)
    assert.deepEqual([kept.status, kept.body.code], [422, 'entries-refused'])
    assert.equal((await lengths(dan)).length, 3)
    const gone = await remove(`ids=${[...booked, other.id].join(',')}`)
    assert.deepEqual(said(gone.body), ['deleted', 'deleted', 'deleted', 'not-found'])
    assert.deepEqual(await lengths(dan), [])
    assert.equal((await bob.get(`/time/${other.id}`)).id, other.id)
    await dan.post(`/change/${gone.headers.get('change-set')}/undo`, undefined)
    assert.equal((await lengths(dan)).length, 3)
    assert.deepEqual([(await remove('')).status, (await remove('ids=,')).status], [400, 400])
  })

  test('a closed day fails alone', async () => {
    const eli = await person({ name: 'Eli' })
    const booked = ids((await book(eli, [entry({ date: '2026-01-05' }), entry()])).body)
    await ada.post('/time/close', { until: '2026-01-31', reason: 'x' })
    const rows = [entry({ date: '2026-01-06' }), entry()]
    assert.deepEqual(said((await book(eli, rows)).body), ['period-closed', 'created'])
    const patched = await eli.ask('PATCH', '/time', { body: { ids: booked, patch: { note: 'x' } } })
    assert.deepEqual(said(patched.body), ['period-closed', 'updated'])
    const gone = await eli.ask('DELETE', `/time?ids=${booked.join(',')}`)
    assert.deepEqual(said(gone.body), ['period-closed', 'deleted'])
    await ada.post('/time/close', { until: null, reason: 'x' })
  })

  test('too many are refused', async () => {
    const rows = Array.from({ length: 501 }, () => entry())
    assert.equal((await book(bob, rows)).status, 413)
    assert.equal((await bob.ask('POST', '/time/bulk', { body: {} })).status, 400)
  })
})
