import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { annotationKind } from '../../desk/annotation/annotation.ts'
import { roleCode } from '../../kernel/access.ts'
import { sweepInboxes } from '../inbox/sweep-inboxes.ts'
import { triggerEvent } from '../trigger-event.ts'

describe('the numbers of messages', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person, database } = home
  const running = await engines(home)
  const mia = await person({ name: 'Mia', email: 'mia@example.com', role: roleCode.manager })
  const desk = await ada.post('/container', { name: 'Desk' })
  const secret = await ada.post('/container', { name: 'Secret', private: true })
  await ada.put(`/container/${secret.id}/member`, { userId: bob.id, role: roleCode.member })

  interface Source {
    kind: string
    id: string
    name: string
    inbox: number
    mail: number
  }
  async function noise(who = bob, query = '') {
    await running.settle()
    return await who.get(`/notification/noise${query}`)
  }
  const short = (sources: Source[]) =>
    sources.map(({ kind, name, inbox, mail }) => `${kind} ${name} ${inbox} ${mail}`).sort()

  test('each message counts for its user by what sent it and by channel', async () => {
    assert.partialDeepStrictEqual(await noise(), { inbox: 0, mail: 0, sources: [], people: [] })
    const { id } = await ada.post('/item', { title: 'Cable', containerId: desk.id, assignees: [bob.id] })
    assert.deepEqual(short((await noise()).sources), ['watch Desk 1 0'])
    await ada.put(`/item/${id}`, { priority: 1 })
    await running.settle()
    await ada.post('/annotation', { itemId: id, kind: annotationKind.note, body: `Hello @[${mia.id}]` })
    const rule = await ada.post('/rule', {
      name: 'Loud',
      active: true,
      container: [desk.id],
      triggerEvent: triggerEvent['item.created'],
      actionValue: [
        { actionType: action.notify, value: { to: [bob.id, mia.id], text: 'Look' } },
        { actionType: action.sendMail, value: { to: [bob.id, 'out@example.org'], subject: 'Look', text: 'There' } },
      ],
    })
    await ada.post('/item', { title: 'Plug', containerId: desk.id })
    const team = await ada.post('/user-group', { name: 'Team', members: [bob.id] })
    const daily = await ada.post('/notification', {
      name: 'Daily',
      container: [desk.id],
      recipientUserGroup: [team.id],
    })
    await ada.post(`/notification/${daily.id}/run`, undefined)
    const found = await noise()
    assert.deepEqual(short(found.sources), ['notification Daily 0 1', 'rule Loud 1 1', 'watch Desk 3 0'])
    assert.deepEqual([found.inbox, found.mail], [4, 2])
    assert.equal(found.sources.find((each: Source) => each.kind === 'rule').id, rule.id)
    assert.deepEqual((await noise(mia)).sources.map(({ kind }: Source) => kind).sort(), ['mention', 'rule'])
    await ada.put(`/rule/${rule.id}`, { active: false })
  })

  test('what is not written is not counted', async () => {
    const before = await noise()
    const rule = { name: 'Draft', actionValue: [{ actionType: action.notify, value: { to: [bob.id], text: 'Look' } }] }
    const { id } = await ada.post('/item', { title: 'Quiet', containerId: desk.id })
    const tried = await ada.post('/rule/dry-run', { rule, itemId: id })
    assert.equal(tried.acted, 1)
    assert.deepEqual(await noise(), before)
    await bob.put('/notification/preference', { events: [{ event: '*', inbox: false, mail: false }] })
    await ada.post('/item', { title: 'Unwanted', containerId: desk.id, assignees: [bob.id] })
    assert.deepEqual(await noise(), before)
    await bob.put('/notification/preference', { events: [] })
  })

  test('managers see who gets most and from where, without what they may not see; others only their own', async () => {
    await ada.post('/item', { title: 'Hidden', containerId: secret.id, assignees: [bob.id] })
    const all = await noise(mia, '?scope=all')
    const own = await noise(bob)
    assert.ok(own.sources.some((each: Source) => each.name === 'Secret'))
    const person = all.people.find((each: { userId: string }) => each.userId === bob.id)
    assert.deepEqual([person.name, person.inbox, person.mail], ['Bob', own.inbox, own.mail])
    assert.ok(!JSON.stringify(all).includes(secret.id) && !JSON.stringify(all).includes('Secret'))
    assert.ok(all.sources.some((each: Source) => each.kind === 'watch' && each.id === '' && each.inbox === 1))
    assert.equal((await bob.ask('GET', '/notification/noise?scope=all')).status, 403)
    assert.partialDeepStrictEqual(await noise(eve, '?scope=all'), { inbox: 0, mail: 0, sources: [], people: [] })
  })

  test('wrong parameters are refused', async () => {
    for (const [query, field] of [
      ['days=0', 'days'],
      ['days=91', 'days'],
      ['days=many', 'days'],
      ['scope=both', 'scope'],
    ]) {
      const { status, body } = await bob.ask('GET', `/notification/noise?${query}`)
      assert.deepEqual([status >= 400 && status < 500, body.Fields[0].Field], [true, field], query)
    }
  })

  test('the numbers are kept for 90 days', async () => {
    const later = (days: number) => () => new Date(Date.now() + days * 86_400_000)
    const { signal } = new AbortController()
    await sweepInboxes(database, later(90)).run(signal)
    assert.ok((await noise()).inbox > 0)
    await sweepInboxes(database, later(91)).run(signal)
    assert.equal((await noise()).inbox, 0)
  })
})
