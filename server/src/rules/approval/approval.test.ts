import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../test/support/database/database.ts'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { sharedReceiver } from '../../../test/support/servers/receiver.ts'
import { action } from '../../containers/action/action.ts'
import { statusCategory } from '../../containers/status-category.ts'
import { roleCode } from '../../kernel/access.ts'
import { operator } from '../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { outcome as ruleOutcome } from '../rule/log/log.ts'
import { approvalState } from './approval.ts'

describe('approvals', async () => {
  const outside = await sharedReceiver()
  const home = await sharedTestService(outside.env)
  const { ada, bob, eve, person, database, databaseUrl } = home
  const running = await engines(home, outside.env)
  const carl = await person({ name: 'Carl', email: 'carl@example.com', role: roleCode.member })
  const dora = await person({ name: 'Dora', email: 'dora@example.com', role: roleCode.member })
  const rita = await person({ name: 'Rita', email: 'rita@example.com', role: roleCode.requester })
  const inner = await ada.post('/user-group', { name: 'Leads', members: [dora.id] })
  const board = await ada.post('/user-group', { name: 'Board', members: [bob.id, carl.id] })
  await ada.put(`/user-group/${inner.id}`, { parentId: board.id })
  const flow = await ada.post('/process', {
    name: 'Purchase',
    workflow: [
      { id: 'draft', fieldId: 'status', value: 'Draft', next: 'Review,Bought,Draft', initial: true },
      { id: 'review', fieldId: 'status', value: 'Review', next: 'Bought,Draft' },
      {
        id: 'bought',
        fieldId: 'status',
        value: 'Bought',
        next: '',
        category: statusCategory.done,
        requires: ['resolution'],
      },
    ],
  })
  const desk = await ada.post('/container', {
    name: 'Desk',
    key: 'DSK',
    processIds: [flow.id],
    defaultProcessId: flow.id,
  })
  const item = (more: object = {}) => ada.post('/item', { title: 'Printer', containerId: desk.id, ...more })
  const now = (id: string) => ada.get(`/item/${id}`)
  const asked = (itemId: string, more: object = {}) => ada.post('/approval', { itemId, groupId: board.id, ...more })
  const approve = (who: Person, itemId: string, body: object = {}) =>
    who.ask('POST', `/item/${itemId}/approve`, { body })
  const reject = (who: Person, itemId: string, body: object = {}) => who.ask('POST', `/item/${itemId}/reject`, { body })
  const types = async (id: string) =>
    (await ada.get(`/approval/${id}/history`)).map((each: { type: string }) => each.type)

  test('a rule requests an approval, the group is notified, and the deciding vote carries out the consequence', async () => {
    const rule = await ada.post('/rule', {
      name: 'Four eyes',
      active: true,
      container: [desk.id],
      triggerEvent: triggerEvent['item.updated'],
      conditionGroup: [{ condition: [{ leftSide: 'status', operator: operator.changedTo, rightSide: 'Review' }] }],
      actionValue: [
        {
          actionType: action.requestApproval,
          value: {
            groupId: board.id,
            quorum: 2,
            text: 'May {{ item.key }} be bought?',
            onApprove: [
              { actionType: action.setField, field: 'resolution', value: 'By {{ actor.id }}' },
              { actionType: action.transition, value: 'bought' },
              { actionType: action.addNote, value: 'Approved' },
            ],
            onReject: 'Draft',
          },
        },
      ],
    })
    assert.deepEqual(rule.check, [])
    const { id, key } = await item()
    await bob.put(`/item/${id}`, { status: 'Review' })
    await running.settle()
    const [approval, ...more] = await ada.get(`/approval?itemId=${id}`)
    assert.deepEqual(more, [])
    assert.deepEqual(
      [approval.state, approval.quorum, approval.askedBy, approval.ruleId, approval.text],
      [approvalState.pending, 2, bob.id, rule.id, `May ${key} be bought?`],
    )
    const [told] = await carl.get('/notification/inbox')
    assert.deepEqual([told.itemId, told.text, told.events], [id, `May ${key} be bought?`, ['approval.requested']])
    assert.deepEqual(await bob.get('/notification/inbox'), [])
    // A second request while one is pending does nothing.
    await ada.put(`/item/${id}`, { status: 'Draft' })
    await ada.put(`/item/${id}`, { status: 'Review' })
    await running.settle()
    assert.equal((await ada.get(`/approval?itemId=${id}`)).length, 1)

    for (const who of [bob, ada]) assert.equal((await approve(who, id)).status, 403)
    assert.equal((await approve(eve, id)).status, 404)
    const first = await approve(carl, id, { comment: 'Fine' })
    assert.deepEqual([first.status, first.body.state, first.body.votes.length], [200, approvalState.pending, 1])
    const again = await approve(carl, id, { comment: 'Really' })
    assert.deepEqual(
      [again.body.state, again.body.votes.length, again.body.votes[0].comment],
      [approvalState.pending, 1, 'Really'],
    )
    const last = await approve(dora, id)
    assert.deepEqual([last.status, last.body.state, last.body.decidedAt !== null], [200, approvalState.approved, true])
    const after = await now(id)
    assert.deepEqual([after.status, after.resolution], ['Bought', `By ${dora.id}`])
    const [change] = (await ada.get(`/item/${id}/history`)).slice(-1)
    assert.deepEqual(
      [change.actor.kind, change.actor.id, change.actor.ruleId, change.changeSetId],
      ['rule', ada.id, rule.id, last.headers.get('change-set')],
    )
    assert.deepEqual(await types(approval.id), [
      'approval.requested',
      'approval.voted',
      'approval.voted',
      'approval.approved',
    ])
    const timeline = (await ada.get(`/item/${id}/timeline?kinds=activity`)).map(
      (each: { activity: { type: string } }) => each.activity.type,
    )
    assert.ok(timeline.includes('approval.approved'))
    await running.settle()
    const [answer] = await bob.get('/notification/inbox')
    assert.match(answer.text, /approved by Dora/)
    const late = await approve(carl, id)
    assert.deepEqual([late.status, late.body.code], [422, 'nothing-to-approve'])
    const named = await approve(carl, id, { approvalId: approval.id })
    assert.deepEqual([named.status, named.body.code], [422, 'approval-decided'])
    await ada.delete(`/rule/${rule.id}`)
  })

  test('in a chain the requester is who started it, and the consequence does not trigger the rule again', async () => {
    const place = await ada.post('/container', { name: 'Chained' })
    const rule = (name: string, more: object) =>
      ada.post('/rule', {
        name,
        active: true,
        container: [place.id],
        triggerEvent: triggerEvent['item.updated'],
        ...more,
      })
    const first = await rule('First', {
      conditionGroup: [{ condition: [{ leftSide: 'title', operator: operator.changed, rightSide: '' }] }],
      actionValue: [{ actionType: action.setField, field: 'priority', value: 2 }],
    })
    const second = await rule('Second', {
      conditionGroup: ['priority', 'points'].map(leftSide => ({
        condition: [{ leftSide, operator: operator.changed, rightSide: '' }],
      })),
      actionValue: [
        {
          actionType: action.requestApproval,
          value: {
            groupId: board.id,
            until: 'P1D',
            onApprove: [{ actionType: action.adjust, field: 'points', value: '+1' }],
          },
        },
      ],
    })
    const { id } = await item({ containerId: place.id, processId: '' })
    await carl.put(`/item/${id}`, { title: 'Changed' })
    await running.settle()
    const [approval, ...more] = await ada.get(`/approval?itemId=${id}`)
    assert.deepEqual([approval.askedBy, approval.ruleId, more], [carl.id, second.id, []])
    assert.ok(Math.abs(Date.parse(approval.until) - Date.parse(approval.created) - 86_400_000) < 60_000)
    assert.equal((await approve(carl, id)).status, 403)
    await approve(bob, id)
    await running.settle()
    assert.equal((await now(id)).points, 1)
    assert.equal((await ada.get(`/approval?itemId=${id}`)).length, 1)
    const [acted] = await ada.get(`/rule/${second.id}/log?outcome=1`)
    assert.deepEqual([acted.event, acted.actions[0].after], ['approval.approved', 1])
    for (const each of [first, second]) await ada.delete(`/rule/${each.id}`)
  })

  test('the first rejection rejects, and its consequence is carried out', async () => {
    const { id } = await item({ status: 'Review' })
    const { id: approvalId } = await asked(id, { quorum: 2, onReject: 'draft', onApprove: 'Bought' })
    await approve(bob, id)
    const no = await reject(carl, id, { comment: 'Too dear' })
    assert.deepEqual([no.status, no.body.state], [200, approvalState.rejected])
    assert.equal((await now(id)).status, 'Draft')
    assert.deepEqual(await types(approvalId), ['approval.requested', 'approval.voted', 'approval.rejected'])
  })

  test('if the item refuses the consequence, the vote is refused with that reason and nothing is stored', async () => {
    const { id } = await item({ status: 'Review' })
    const { id: approvalId, version } = await asked(id, { onApprove: 'Bought' })
    const refused = await approve(bob, id)
    assert.deepEqual([refused.status, refused.body.code], [422, 'transition-not-allowed'])
    assert.deepEqual(
      refused.body.Fields.map((each: { Field: string; Code: string }) => `${each.Field} ${each.Code}`),
      ['resolution required'],
    )
    assert.equal((await ada.get(`/approval/${approvalId}`)).version, version)
    await ada.put(`/item/${id}`, { resolution: 'Paid' })
    assert.equal((await approve(bob, id)).body.state, approvalState.approved)
    assert.equal((await now(id)).status, 'Bought')
  })

  test('the consequence needs the rights of the requester, and is refused when they are gone', async () => {
    const gast = await person({ name: 'Gast', email: 'gast@example.com', role: roleCode.member })
    const { id } = await item()
    await gast.post('/approval', {
      itemId: id,
      groupId: board.id,
      onApprove: [{ actionType: action.setField, field: 'priority', value: 1 }],
    })
    await ada.put(`/user/${gast.id}`, { role: roleCode.readOnly })
    const refused = await approve(bob, id)
    assert.deepEqual([refused.status, refused.body.code], [422, 'not-carried-out'])
    await ada.put(`/user/${gast.id}`, { active: false })
    assert.equal((await approve(bob, id)).body.code, 'nobody-to-act')
    await ada.put(`/user/${gast.id}`, { active: true, role: roleCode.member })
    assert.equal((await approve(bob, id)).body.state, approvalState.approved)
    assert.equal((await now(id)).priority, 1)
  })

  test('of two concurrent last votes exactly one decides', async () => {
    for (let n = 0; n < 5; n++) {
      const { id } = await item()
      const { id: approvalId } = await asked(id, {
        quorum: 2,
        onApprove: [{ actionType: action.adjust, field: 'points', value: '+1' }],
      })
      await approve(bob, id)
      const answers = await Promise.all([approve(carl, id), approve(dora, id), reject(bob, id)])
      const { state, votes } = await ada.get(`/approval/${approvalId}`)
      const decidedBy = answers.filter(each => each.status === 200)
      assert.equal(decidedBy.length, 1)
      assert.equal(votes.length, state === approvalState.approved ? 2 : 1)
      assert.equal((await now(id)).points, state === approvalState.approved ? 1 : 0)
      const decisions = (await types(approvalId)).filter((each: string) => /approved|rejected/.test(each))
      assert.equal(decisions.length, 1)
    }
  })

  test('the requester votes only if the group has no other member, and the quorum must be reachable', async () => {
    const { id } = await item()
    const two = await ada.post('/user-group', { name: 'Two', members: [ada.id, bob.id] })
    await ada.post('/approval', { itemId: id, groupId: two.id })
    assert.equal((await approve(ada, id)).status, 403)
    assert.equal((await approve(bob, id)).body.state, approvalState.approved)
    const alone = await ada.post('/user-group', { name: 'Alone', members: [ada.id] })
    await ada.post('/approval', { itemId: id, groupId: alone.id })
    assert.equal((await approve(ada, id)).body.state, approvalState.approved)
    const many = await ada.ask('POST', '/approval', { body: { itemId: id, groupId: two.id, quorum: 2 } })
    assert.deepEqual([many.status, many.body.code], [422, 'quorum-unreachable'])
    const none = await ada.ask('POST', '/approval', { body: { itemId: id, groupId: '' } })
    assert.deepEqual([none.status, none.body.Fields[0].Field], [400, 'groupId'])
    const empty = await ada.post('/user-group', { name: 'Empty' })
    assert.equal((await ada.ask('POST', '/approval', { body: { itemId: id, groupId: empty.id } })).status, 422)
  })

  test('a vote counts only while its voter belongs to the group', async () => {
    const { id } = await item()
    const group = await ada.post('/user-group', { name: 'Changing', members: [bob.id, carl.id, dora.id] })
    await ada.post('/approval', { itemId: id, groupId: group.id, quorum: 2 })
    await approve(bob, id)
    await ada.put(`/user-group/${group.id}`, { members: [carl.id, dora.id] })
    assert.equal((await approve(bob, id, { comment: 'Still' })).status, 403)
    assert.equal((await approve(carl, id)).body.state, approvalState.pending)
    assert.equal((await approve(dora, id)).body.state, approvalState.approved)
  })

  test('a vote must name the approval if several are pending', async () => {
    const { id } = await item()
    const [one, two] = [await asked(id), await asked(id)]
    const unclear = await approve(bob, id)
    assert.deepEqual([unclear.body.code, unclear.body.approvals], ['which-approval', [one.id, two.id]])
    assert.equal((await approve(bob, id, { approvalId: two.id })).body.id, two.id)
    assert.equal((await approve(bob, id)).body.id, one.id)
    const other = await item()
    const foreign = await approve(bob, other.id, { approvalId: one.id })
    assert.deepEqual([foreign.status, foreign.body.code], [422, 'unknown-reference'])
  })

  test('an approval without a rule only changes the item, and needs the permission to update it', async () => {
    const { id } = await item({ requesterId: rita.id })
    const beyond = await ada.ask('POST', '/approval', {
      body: {
        itemId: id,
        groupId: board.id,
        onApprove: [{ actionType: action.sendMail, value: { to: ['x@example.com'] } }],
      },
    })
    assert.deepEqual([beyond.status, beyond.body.code], [422, 'only-for-rules'])
    const odd = await ada.ask('POST', '/approval', {
      body: { itemId: id, groupId: board.id, onReject: [{ nothing: 1 }], onApprove: 7 },
    })
    assert.equal(odd.status, 400)
    const inert = await asked(id, { onApprove: [{ actionType: 39 }] })
    assert.deepEqual(inert.check[0].path, '/onApprove/0/actionType')
    assert.equal((await rita.ask('POST', '/approval', { body: { itemId: id, groupId: board.id } })).status, 403)
    assert.equal((await eve.ask('POST', '/approval', { body: { itemId: id, groupId: board.id } })).status, 422)
    // The requester of a ticket does not see approvals among staff, unless they are asked.
    assert.deepEqual(await rita.get(`/approval?itemId=${id}`), [])
    assert.equal((await rita.ask('GET', `/approval/${inert.id}`)).status, 404)
    assert.ok(!JSON.stringify(await rita.get(`/item/${id}/timeline`)).includes('approval.'))
    const customers = await ada.post('/user-group', { name: 'Customers', members: [rita.id] })
    const hers = await ada.post('/approval', { itemId: id, groupId: customers.id })
    assert.equal((await approve(rita, id)).body.id, hers.id)
  })

  test('an approval is cancelled when its item is deleted or merged, or its time is over', async () => {
    const [gone, merged, timed, target] = [await item(), await item(), await item(), await item()]
    const all = [await asked(gone.id), await asked(merged.id)]
    await ada.delete(`/item/${gone.id}`)
    assert.equal((await approve(bob, gone.id)).status, 404)
    await ada.post(`/item/${merged.id}/merge`, { into: target.id })
    await running.settle()
    for (const { id } of all) {
      const { body } = await ada.ask('GET', `/approval/${id}`)
      assert.equal(body.state, approvalState.cancelled)
      assert.deepEqual(await types(id), ['approval.requested', 'approval.cancelled'])
    }
    const short = await asked(timed.id, { until: new Date(Date.now() + 3_600_000).toISOString() })
    await asOwner(databaseUrl, undefined, `update approval set until = now() - interval '1 second' where id = $1`, [
      short.id,
    ])
    await database.crossTenantSql`update queued_job set run_at = now() where worker is null`
    const late = await approve(bob, timed.id, { approvalId: short.id })
    assert.equal(late.status, 422)
    await running.settle()
    assert.equal((await ada.get(`/approval/${short.id}`)).state, approvalState.cancelled)
    const past = await ada.ask('POST', '/approval', {
      body: { itemId: timed.id, groupId: board.id, until: '2020-01-01T00:00:00Z' },
    })
    assert.equal(past.status, 400)
    const ended = await asked(timed.id)
    assert.equal((await ada.post(`/approval/${ended.id}/cancel`, {})).state, approvalState.cancelled)
    assert.equal((await approve(bob, timed.id)).body.code, 'nothing-to-approve')
  })

  test('undo reverts a vote with its consequence, and then the request', async () => {
    const { id } = await item({ status: 'Review', resolution: 'Paid' })
    const made = await ada.ask('POST', '/approval', { body: { itemId: id, groupId: board.id, onApprove: 'Bought' } })
    const vote = await approve(bob, id)
    assert.equal((await now(id)).status, 'Bought')
    const early = await ada.ask('POST', `/change/${made.headers.get('change-set')}/undo`)
    assert.deepEqual([early.status, early.body.code], [409, 'undo-conflict'])
    await bob.must('POST', `/change/${vote.headers.get('change-set')}/undo`)
    assert.equal((await now(id)).status, 'Review')
    const open = await ada.get(`/approval/${made.body.id}`)
    assert.deepEqual([open.state, open.votes, open.decidedAt], [approvalState.pending, [], null])
    await ada.must('POST', `/change/${made.headers.get('change-set')}/undo`)
    assert.equal((await ada.get(`/approval/${made.body.id}`)).state, approvalState.cancelled)
  })

  test('hooks are called, and a dry run shows the request', async () => {
    await running.settle()
    const hook = await ada.post('/hook', { name: 'All', url: outside.url, active: true })
    const { id } = await item()
    const approval = await asked(id)
    await approve(bob, id)
    await running.settle()
    const told = outside.got.map(each => each.body).filter(each => each.data?.entity === 'Approval')
    assert.deepEqual(
      told.map(each => [each.type, each.data.id]),
      [
        ['approval.requested', approval.id],
        ['approval.approved', approval.id],
      ],
    )
    await ada.delete(`/hook/${hook.id}`)
    const rule = {
      name: 'Try',
      triggerEvent: triggerEvent['item.created'],
      actionValue: [{ actionType: action.requestApproval, value: { groupId: board.id } }],
    }
    const { would } = await ada.post('/rule/dry-run', { rule, itemId: id })
    assert.deepEqual([would[0].outcome, would[0].actions[0].after.quorum], [ruleOutcome.acted, 1])
    assert.equal((await ada.get(`/approval?itemId=${id}`)).length, 1)
    assert.deepEqual(
      (await ada.post('/rule', { ...rule, actionValue: [{ actionType: action.requestApproval }] })).check[0].code,
      'no-group',
    )
  })
})
