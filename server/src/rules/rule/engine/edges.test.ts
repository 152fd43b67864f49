import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { startTestService } from '../../../../test/support/people.ts'
import { receiver } from '../../../../test/support/servers/receiver.ts'
import { action } from '../../../containers/action/action.ts'
import { statusCategory } from '../../../containers/status-category.ts'
import { operator as operatorCode } from '../../../language/conditions/operators/operators.ts'
import { quotaScope } from '../../../mail/mail-general.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { outcome as ruleOutcome } from '../log/log.ts'
import { mode, trigger } from '../rule-codes.ts'

const when = (leftSide: string, operator: number, rightSide = '') => [
  { condition: [{ leftSide, operator, rightSide }] },
]
const set = (field: string, value: unknown) => ({ actionType: action.setField, field, value })

describe('rules at their limits', async () => {
  const outside = await receiver()
  const env = { ...outside.env, WORKERS: '1' }
  const home = await startTestService(env)
  const { ada, bob, base } = home
  const running = await engines(home, env)
  const desk = await ada.post('/container', { name: 'Desk', key: 'DSK' })
  const made: string[] = []
  const rule = async (name: string, more: object) => {
    const body = await ada.post('/rule', { name, active: true, container: [desk.id], ...more })
    made.push(body.id)
    return body
  }
  const item = (more: object = {}) => ada.post('/item', { title: 'Printer', containerId: desk.id, ...more })
  const now = (id: string) => ada.get(`/item/${id}`)
  const alone = async () => {
    for (const id of made.splice(0)) await ada.ask('DELETE', `/rule/${id}`)
  }
  const change = async (id: string, body: object) => {
    await ada.put(`/item/${id}`, body)
    await running.settle()
  }

  test('a condition compares the new value of a property in its own type', async () => {
    await rule('Raised', {
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when('change.severity.to', operatorCode.equals, '3'),
      actionValue: [set('title', 'Raised')],
    })
    const { id } = await item()
    await change(id, { severity: 2 })
    assert.equal((await now(id)).title, 'Printer')
    await change(id, { severity: 3 })
    assert.equal((await now(id)).title, 'Raised')
    await alone()
  })

  test('a rule that exceeds the mail quota stops, is reported once, and is switched off after five times in an hour', async () => {
    await ada.put('/mail/general', { loopQuotas: [{ scope: quotaScope.item, count: 1, minutes: 60 }] })
    const titled = { triggerEvent: triggerEvent['item.updated'], conditionGroup: when('title', operatorCode.changed) }
    const { id: ruleId } = await rule('Mailer', {
      ...titled,
      order: 1,
      actionValue: [
        { actionType: action.adjust, field: 'points', value: '+1' },
        { actionType: action.sendMail, value: { to: [bob.id], subject: 'News', text: 'Look' } },
      ],
    })
    await rule('Behind it', {
      ...titled,
      order: 2,
      actionValue: [{ actionType: action.adjust, field: 'estimateMinutes', value: '+1' }],
    })
    const { id } = await item()
    const failures = async () =>
      (await ada.get('/event?limit=1000')).filter(
        (each: { type: string; recordId: string }) => each.type === 'rule.failed' && each.recordId === ruleId,
      )
    const entry = async () =>
      (await ada.get('/notification/inbox')).find((each: { subjectId: string }) => each.subjectId === ruleId)
    await change(id, { title: 'Printer 0' })
    assert.deepEqual([(await now(id)).points, (await now(id)).estimateMinutes], [1, 1])
    for (let n = 1; n <= 4; n++) await change(id, { title: `Printer ${n}` })
    const tripped = await now(id)
    // The changes of the rule before the mail are rolled back, and the pass ends.
    assert.deepEqual([tripped.points, tripped.estimateMinutes], [1, 1])
    const [first, ...more] = await failures()
    assert.deepEqual([first.changes.paused.to, more.length], [false, 0])
    assert.match(first.changes.reason.to, /quota/)
    assert.match((await entry()).text, /“Mailer” failed[\s\S]*the quota is used up/)
    assert.equal((await entry()).count, 1)
    const log = await ada.get(`/rule/${ruleId}/log?outcome=4`)
    assert.equal(log.length, 4)
    assert.equal((await ada.get(`/rule/${ruleId}`)).active, true)
    await change(id, { title: 'Printer 5' })
    const after = await ada.get(`/rule/${ruleId}`)
    assert.deepEqual([after.active, after.stats.acted, after.stats.failed], [false, 1, 5])
    assert.equal((await failures()).at(-1).changes.paused.to, true)
    assert.match((await entry()).text, /switched off/)
    const [mail, ...mails] = await ada.get(`/mail/outbound?itemId=${id}`)
    assert.deepEqual([mail.subject, mails.length], ['News', 0])
    // A rule that is switched off has no effect.
    await change(id, { title: 'Printer 6' })
    assert.equal((await now(id)).estimateMinutes, 2)
    await alone()
  })

  test('a rule makes transitions in the workflow, and guards apply to it', async () => {
    const { id: processId } = await ada.post('/process', {
      name: 'Flow',
      workflow: [
        {
          id: 'new',
          fieldId: 'status',
          value: 'New',
          next: 'Doing',
          initial: true,
          conditionGroup: when('points', operatorCode.greaterThan, '2'),
        },
        { id: 'doing', fieldId: 'status', value: 'Doing', next: 'Done', category: statusCategory.started },
        { id: 'done', fieldId: 'status', value: 'Done', next: '', category: statusCategory.done },
      ],
    })
    const flow = await ada.post('/container', { name: 'Flow', processIds: [processId], defaultProcessId: processId })
    const step = async (value: string, values: object) => {
      const { id: ruleId } = await rule(value, {
        container: [flow.id],
        triggerEvent: triggerEvent['item.created'],
        actionValue: [set('priority', 1), { actionType: action.transition, value }],
      })
      const { id } = await item({ containerId: flow.id, ...values })
      await running.settle()
      const [entry] = await ada.get(`/rule/${ruleId}/log`)
      await alone()
      const { status, priority } = await now(id)
      return { status, priority, outcome: entry.outcome, error: entry.error }
    }
    const held = await step('doing', { points: 1 })
    assert.deepEqual([held.status, held.priority, held.outcome], ['New', 0, ruleOutcome.failed])
    assert.match(held.error, /the condition of the transition does not hold/)
    assert.deepEqual(await step('doing', { points: 3 }), {
      status: 'Doing',
      priority: 1,
      outcome: ruleOutcome.acted,
      error: '',
    })
    assert.equal((await step('Doing', { points: 3 })).status, 'Doing')
    const far = await step('done', { points: 3 })
    assert.deepEqual([far.status, far.outcome], ['New', ruleOutcome.failed])
    const nowhere = await step('nowhere', { points: 3 })
    assert.match(nowhere.error, /no step nowhere/)
  })

  test('inbound calls are limited per minute, address and rule', async () => {
    const [one, other] = [await rule('One', { trigger: trigger.call }), await rule('Other', { trigger: trigger.call })]
    const paths: string[] = []
    for (const { id } of [one, other]) paths.push((await ada.post(`/rule/${id}/call-secret`, {})).path)
    const call = async (path = '') => await fetch(`${base}${path}`, { method: 'POST' })
    const answers: Response[] = []
    for (let n = 0; n < 61; n++) answers.push(await call(paths[0]))
    assert.deepEqual([...new Set(answers.slice(0, 60).map(each => each.status))], [202])
    const last = answers[60]
    assert.equal(last?.status, 429)
    const wait = Number(last?.headers.get('retry-after'))
    assert.ok(wait > 0 && wait <= 60)
    // Calls with a wrong secret count too, which limits guessing.
    assert.equal((await call(paths[0]?.replace(/[^/]+$/, 'wrong'))).status, 429)
    assert.equal((await call(paths[1])).status, 202)
    await alone()
  })

  test('a card whose move a rule refuses stays in its column', async () => {
    await rule('Not yet', {
      mode: mode.beforeCommit,
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when('status', operatorCode.changedTo, 'Done'),
      actionValue: [{ actionType: action.veto, value: '{{ item.key }} is not done' }],
    })
    const columns = ['To do', 'Done'].map(name => ({ id: name, name, values: [name] }))
    const board = await ada.post('/board', { name: 'Board', owner: ownerKind.container, ownerId: desk.id, columns })
    const [a, b] = [await item({ status: 'To do' }), await item({ status: 'To do' })]
    const before = await now(a.id)
    const refused = await bob.ask('POST', `/board/${board.id}/move`, { body: { itemId: a.id, column: 'Done' } })
    assert.deepEqual([refused.status, refused.body.code, refused.body.detail], [422, 'vetoed', `${a.key} is not done`])
    assert.deepEqual(await now(a.id), before)
    // It moves within its column, and to columns for which no rule refuses.
    await bob.post(`/board/${board.id}/move`, { itemId: a.id, column: 'To do', after: b.id })
    const cards = (await ada.get(`/board/${board.id}/cards`)).columns[0].cards.map((each: { id: string }) => each.id)
    assert.ok(cards.indexOf(a.id) > cards.indexOf(b.id))
    await alone()
    assert.equal(
      (await bob.ask('POST', `/board/${board.id}/move`, { body: { itemId: a.id, column: 'Done' } })).status,
      200,
    )
  })

  test('a dry run over a time span names the rules that would follow', async () => {
    const quiet = await ada.post('/container', { name: 'History' })
    const saved = await rule('Goes on', {
      container: [quiet.id],
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: when('priority', operatorCode.changedTo, '1'),
      actionValue: [set('status', 'Seen')],
    })
    await rule('Elsewhere', { triggerEvent: triggerEvent['item.updated'], actionValue: [set('status', 'Seen')] })
    const since = new Date().toISOString()
    const items = []
    for (const title of ['hot a', 'hot b', 'cold']) items.push(await item({ title, containerId: quiet.id }))
    await ada.put(`/item/${items[0].id}`, { title: 'no longer' })
    await new Promise(resolve => setTimeout(resolve, 5))
    const until = new Date().toISOString()
    await new Promise(resolve => setTimeout(resolve, 5))
    await item({ title: 'hot too late', containerId: quiet.id })
    await running.settle()
    const draft = {
      name: 'Draft',
      container: [quiet.id],
      triggerEvent: triggerEvent['item.created'],
      conditionGroup: when('title', operatorCode.startsWith, 'hot'),
      actionValue: [set('priority', 1)],
    }
    const tried = await ada.post('/rule/dry-run', { rule: draft, since, until })
    assert.deepEqual([tried.events, tried.matched, tried.acted, tried.failed, tried.complete], [3, 2, 2, 0, true])
    assert.deepEqual(tried.days, [{ date: since.slice(0, 10), matched: 2, acted: 2, failed: 0 }])
    assert.deepEqual(
      tried.would.map((each: { itemId: string; next: Next[] }) => [
        each.itemId,
        each.next.map(({ ruleId, name, depth, actions }) => [ruleId, name, depth, actions[0]?.after]),
      ]),
      [items[0], items[1]].map(each => [each.id, [[saved.id, 'Goes on', 1, 'Seen']]]),
    )
    assert.equal((await ada.post('/rule/dry-run', { rule: draft, since })).acted, 3)
    for (const each of items) assert.deepEqual([(await now(each.id)).priority, (await now(each.id)).status], [0, ''])
    const vetoed = { ...draft, actionValue: [{ actionType: action.transition, value: '' }] }
    const failing = await ada.post('/rule/dry-run', { rule: vetoed, since, until })
    assert.deepEqual([failing.acted, failing.failed, failing.would[0].next], [0, 2, []])
    await alone()
  })

  test('an SMS gateway is called once for each number, signed, and its status is logged', async () => {
    await ada.put(`/user/${bob.id}`, { phone: '+43 (1) 234-5678' })
    const group = await ada.post('/user-group', { name: 'On call', members: [ada.id] })
    const sms = await rule('Text', {
      triggerEvent: triggerEvent['item.created'],
      actionEndpoint: [
        {
          actionType: action.sms,
          url: `${outside.url}/sms`,
          httpHeader: ['Authorization: Bearer gateway'],
          to: `+49 30 1234, @assignee, ${group.id}, 0049/301234, nobody`,
          text: '{{ item.key }} burns',
        },
      ],
    })
    assert.deepEqual(sms.check, [])
    await ada.post(`/rule/${sms.id}/signing-secret`, {})
    outside.got.length = 0
    const { key } = await item({ assignees: [bob.id] })
    await running.settle()
    const text = `${key} burns`
    assert.deepEqual(
      outside.got.map(each => [each.path, each.body]),
      [
        ['/sms', { to: '+49301234', text }],
        ['/sms', { to: '0049301234', text }],
        ['/sms', { to: '+4312345678', text }],
      ],
    )
    for (const { headers } of outside.got) {
      assert.match(String(headers['webhook-signature']), /^v1,/)
      assert.equal(headers.authorization, 'Bearer gateway')
    }
    const [entry] = await ada.get(`/rule/${sms.id}/log`)
    assert.deepEqual(
      entry.actions.map((each: { actionType: number; after: { to: string }; status: number }) => [
        each.actionType,
        each.after.to,
        each.status,
      ]),
      [
        [action.sms, '+49301234', 200],
        [action.sms, '0049301234', 200],
        [action.sms, '+4312345678', 200],
      ],
    )
    const { actionEndpoint } = await ada.get(`/rule/${sms.id}`)
    assert.deepEqual(
      (await ada.put(`/rule/${sms.id}`, { actionEndpoint: [{ ...actionEndpoint[0], to: '', text: '' }] })).check[0]
        .code,
      'no-number',
    )
    await ada.put(`/rule/${sms.id}`, { actionEndpoint: [{ ...actionEndpoint[0], to: '@requester', text: '' }] })
    outside.got.length = 0
    await item({ requesterId: ada.id })
    const own = await item({ requesterId: bob.id, title: 'Plain' })
    await running.settle()
    assert.deepEqual(
      outside.got.map(each => each.body),
      [{ to: '+4312345678', text: `${own.key} Plain` }],
    )
    const inner = await ada.ask('POST', '/rule', {
      body: { name: 'Inner', actionEndpoint: [{ actionType: action.sms, url: 'http://10.0.0.1/sms', to: '1' }] },
    })
    assert.equal(inner.status, 400)
    await alone()
  })

  test('an action that needs a model has a finding without one', async () => {
    const { check } = await rule('Assist', { actionValue: [{ actionType: action.assist, value: '' }] })
    assert.deepEqual([check[0].code, /no model is connected/.test(check[0].message)], ['not-done-here', true])
    await alone()
  })
})

interface Next {
  ruleId: string
  name: string
  depth: number
  actions: { after?: unknown }[]
}
