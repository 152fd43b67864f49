import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { roleCode } from '../../kernel/access.ts'
import { newId } from '../../kernel/id.ts'
import { triggerEvent } from '../../notify/trigger-event.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { allocationUnit } from '../allocation/spread.ts'
import { templateRelation } from './template-shape.ts'

/** A rule has acted (`rules/rule/log`, which is above this room). */
const ruleActed = 1

interface Made {
  items: { key: string; item: { id: string; assignees: string[] } }[]
  people: { key: string; use: string; userId: string; reason: string }[]
  warnings: string[]
}

describe('the placeholders of an item template', async () => {
  const home = await sharedTestService()
  const { ada, bob, eve, person } = home
  const running = await engines(home)
  const role = await ada.post('/finance/job-role', { code: 'tech', name: 'Technician' })
  const other = await ada.post('/finance/job-role', { code: 'cook', name: 'Cook' })
  const tom = await person({ name: 'Tom', role: roleCode.member, jobRole: 'TECH' })
  const tina = await person({ name: 'Tina', role: roleCode.member, jobRole: role.id })
  const mia = await person({ name: 'Mia', role: roleCode.member })
  const desk = await ada.post('/container', { name: 'Desk' })
  const template = await ada.post('/item-template', {
    name: 'Install',
    items: [
      {
        ...{ key: 'all', title: 'Install', assignTo: [{ jobRoleId: role.id }], watchers: [mia.id] },
        ...{ watchedBy: [{ relation: templateRelation.parentRequester }] },
      },
      {
        ...{
          key: 'test',
          parentKey: 'all',
          title: 'Test',
          assignees: [ada.id],
          checklist: ['Power', 'Network', 'Report'],
        },
        assignTo: [{ jobRoleId: role.id }, { relation: templateRelation.containerLead }],
        checklistBy: [
          { entry: 0, jobRoleId: role.id },
          { entry: 2, userId: mia.id },
        ],
      },
    ],
  })
  const input = { containerId: desk.id, anchor: '2027-02-01' }
  const use = (more: object = {}, who: Person = ada): Promise<Made> =>
    who.post(`/item-template/${template.id}/create`, { ...input, ...more })
  const member = (who: Person, code: number) => ada.put(`/container/${desk.id}/member`, { userId: who.id, role: code })
  const reasonFor = ({ people }: Made) => [people[0]?.userId, people[0]?.reason]

  test('name nobody where nobody is found, with a warning', async () => {
    const made = await use()
    assert.deepEqual(
      made.items.map(each => each.item.assignees),
      [[], [ada.id]],
    )
    assert.deepEqual(made.warnings, [
      'nobody is Technician: nobody who works as that is planned on the container or is a member of it',
      'nobody is the requester of the parent: the items have no parent',
      'nobody is the lead of the container: no member of the container is its manager',
    ])
  })

  test('are the users that the request names, by the id or the code of the job role', async () => {
    for (const name of [role.id, 'Tech']) {
      const made = await use({ people: { [name]: bob.id } })
      assert.deepEqual(
        made.items.map(each => each.item.assignees),
        [[bob.id], [ada.id, bob.id]],
      )
      assert.deepEqual(reasonFor(made), [bob.id, 'named in the request'])
      const entries = await ada.get(`/item/${made.items[1]?.item.id}/checklist`)
      assert.deepEqual(
        entries.map((each: { assigneeId: string }) => each.assigneeId),
        [bob.id, '', mia.id],
      )
    }
    const unused = await use({ people: { tech: bob.id, cook: bob.id } })
    assert.ok(unused.warnings.includes('the template has no placeholder for the job role Cook'))
  })

  test('are refused for roles and users that do not exist here, and all faults are told', async () => {
    const ofEve = await eve.post('/finance/job-role', { code: 'foreign', name: 'Foreign' })
    const refused = async (people: Record<string, string>) => {
      const { status, body } = await ada.ask('POST', `/item-template/${template.id}/create`, {
        body: { ...input, people },
      })
      return [status, body.Fields.map((each: { Pointer: string; Code: string }) => `${each.Pointer} ${each.Code}`)]
    }
    const absent = newId()
    for (const [roleName, userId] of [
      ['foreign', eve.id],
      [ofEve.id, eve.id],
      [absent, absent],
    ] as const)
      assert.deepEqual(await refused({ [roleName]: bob.id, tech: userId }), [
        422,
        [`/people/${roleName} unknown-reference`, '/people/tech unknown-reference'],
      ])
    const saved = (items: object[], who = ada) => who.ask('POST', '/item-template', { body: { name: 'Wrong', items } })
    const unknown = await saved([{ key: 'a', title: 'A', assignTo: [{ jobRoleId: ofEve.id }] }])
    assert.deepEqual([unknown.status, unknown.body.Fields[0].Pointer], [422, '/items/0/assignTo/0/jobRoleId'])
    const wrong = await saved([
      {
        ...{ key: 'a', title: 'A', checklist: ['One'], assignTo: [{ jobRoleId: role.id, relation: 1 }] },
        checklistBy: [{ entry: 1, userId: bob.id }],
      },
    ])
    assert.deepEqual(
      [
        wrong.status,
        wrong.body.Fields.map((each: { Pointer: string; Code: string }) => `${each.Pointer} ${each.Code}`),
      ],
      [400, ['/items/0/assignTo/0 one-person', '/items/0/checklistBy/0/entry range']],
    )
  })

  test('are the only member with the job role, or who is planned on the container as that', async () => {
    await member(tom, roleCode.member)
    assert.deepEqual(reasonFor(await use({}, tom)), [tom.id, 'the only member of the container who works as that'])
    await member(tina, roleCode.member)
    assert.deepEqual(reasonFor(await use()), ['', '2 members of the container work as that'])
    const plan = (more: object) =>
      ada.post('/plan', {
        ...{ owner: ownerKind.container, ownerId: desk.id, unit: allocationUnit.percent, amount: 50 },
        ...more,
      })
    await plan({ userId: tom.id, from: '2026-01-01', to: '2026-12-31' })
    await plan({ userId: bob.id, from: '2027-01-01', to: '2027-12-31' })
    assert.equal(reasonFor(await use())[0], '', 'the plan is over, and the other is for somebody with another job role')
    await plan({ userId: mia.id, jobRoleId: role.id, from: '2027-03-01', to: '2027-04-30' })
    assert.deepEqual(reasonFor(await use()), [mia.id, 'planned on the container from 2027-03-01'])
    await plan({ userId: tina.id, from: '2027-02-01', to: '2027-02-28' })
    assert.deepEqual(reasonFor(await use()), [tina.id, 'planned on the container from 2027-02-01'])
  })

  test('are the requester of the parent and the lead of the container, as a dry run tells; one undo takes all back', async () => {
    await member(mia, roleCode.manager)
    const parent = await ada.post('/item', { title: 'Asked', containerId: desk.id, requesterId: bob.id })
    const body = { ...input, parentId: parent.id }
    const { would } = await ada.must('POST', `/item-template/${template.id}/create?dryRun=true`, { body })
    assert.deepEqual(
      would.people.map((each: Made['people'][number]) => [each.key, each.use, each.userId, each.reason]),
      [
        ['all', 'assignee', tina.id, 'planned on the container from 2027-02-01'],
        ['all', 'watcher', bob.id, `the requester of ${parent.key}`],
        ['test', 'assignee', tina.id, 'planned on the container from 2027-02-01'],
        ['test', 'assignee', mia.id, 'the only member of the container with its highest role'],
        ['test', 'checklist', tina.id, 'planned on the container from 2027-02-01'],
      ],
    )
    const { body: made, headers } = await tom.ask('POST', `/item-template/${template.id}/create`, { body })
    const [all] = made.items
    const watchers = async () => (await ada.get(`/watch?owner=${ownerKind.item}&ownerId=${all.item.id}`)).length
    assert.equal(await watchers(), 2)
    assert.deepEqual(made.items[1].item.assignees.sort(), [ada.id, tina.id, mia.id].sort())
    await ada.must('POST', `/change/${headers.get('change-set')}/undo`)
    assert.equal((await ada.ask('GET', `/item/${all.item.id}`)).status, 404)
  })

  test('are resolved by rules, which tell whom they chose', async () => {
    const rule = {
      ...{ name: 'Ordered', container: [desk.id], triggerEvent: triggerEvent['item.created'], active: true },
      conditionGroup: [{ condition: [{ leftSide: 'title', operator: 0, rightSide: 'Order' }] }],
      actionValue: [
        {
          actionType: action.createItem,
          value: { templateId: template.id, relation: 'child', anchor: '2027-02-01', people: { tech: bob.id } },
        },
      ],
    }
    const saved = await ada.post('/rule', rule)
    const item = await ada.post('/item', { title: 'Order', containerId: desk.id, requesterId: mia.id })
    await running.settle()
    const [child] = await ada.get(`/item?parentId=${item.id}`)
    assert.deepEqual(child.assignees, [bob.id])
    const entry = (await ada.get(`/rule/${saved.id}/log`)).find(
      (each: { outcome: number }) => each.outcome === ruleActed,
    )
    const told = `all, assignee: ${bob.id} (named in the request); all, watcher: ${mia.id} (the requester of ${item.key})`
    assert.ok(entry.actions[0].reason.startsWith(told), entry.actions[0].reason)
    const dry = await ada.post('/rule/dry-run', { rule, itemId: item.id })
    assert.ok(dry.would[0].actions[0].reason.startsWith(told))
  })

  test('are part of the configuration, and a job role that is gone is reported', async () => {
    const exported = JSON.stringify(await ada.get('/config/export'))
    assert.match(exported, /"assignTo":\[\{"jobRoleId":"\$\{JobRole:tech\}"/)
    const cooks = await ada.post('/item-template', {
      name: 'Feast',
      items: [{ key: 'a', title: 'Cook', assignTo: [{ jobRoleId: other.id }] }],
    })
    await ada.must('DELETE', `/finance/job-role/${other.id}`)
    const { check } = await ada.get(`/item-template/${cooks.id}`)
    assert.deepEqual(check[0], {
      ...{ path: '/items/0/assignTo/0/jobRoleId', code: 'unknown-reference', message: 'there is no such JobRole' },
    })
    const { warnings } = await ada.post(`/item-template/${cooks.id}/create`, input)
    assert.match(warnings[0], /names no job role that exists/)
  })
})
