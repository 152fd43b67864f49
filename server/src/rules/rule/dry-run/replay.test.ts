import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action } from '../../../containers/action/action.ts'
import { annotationKind } from '../../../desk/annotation/annotation.ts'
import { callerInContext } from '../../../identity/authority.ts'
import { tenantCaller } from '../../../identity/tenant-caller.ts'
import { roleCode } from '../../../kernel/access.ts'
import { type Id, newId } from '../../../kernel/id.ts'
import { operator } from '../../../language/conditions/operators/operators.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { runAs } from '../engine/principal.ts'
import { outcome } from '../log/log.ts'
import { draftOf } from './dry-run.ts'
import { type HistoryPage, historyPage } from './history-scan.ts'
import { type DryRunEntry, type ReplayedOccurrence, replay } from './replay.ts'

describe('occurrences that are replayed together', async () => {
  const home = await sharedTestService()
  const { ada, bob, person, database } = home
  const running = await engines(home)
  const mia = await person({ name: 'Mia', email: 'mia@example.com', role: roleCode.manager })
  const [desk, other] = [
    await ada.post('/container', { name: 'Desk' }),
    await ada.post('/container', { name: 'Other' }),
  ]
  const vendor = await ada.post('/field', { name: 'Vendor', key: 'vendor', fieldType: 'text' })
  const on = (leftSide: string, code: number, rightSide: string) => [
    { condition: [{ leftSide, operator: code, rightSide }] },
  ]
  const set = (field: string, value: unknown) => ({ actionType: action.setField, field, value })

  // A rich history: by several people, with moves, custom values, labels, notes, and items that changed often.
  for (let n = 0; n < 6; n++) {
    const by = n % 2 === 0 ? ada : mia
    const item = await by.post('/item', {
      title: `Item ${n}`,
      containerId: desk.id,
      priority: 1 + (n % 3),
      assignees: [bob.id],
    })
    await mia.must('PATCH', `/item/${item.id}`, {
      body: { priority: 4, Tags: ['late'], Field: [{ fieldId: vendor.id, value: `V${n}` }] },
    })
    if (n % 3 === 0)
      await ada.must('PATCH', `/item/${item.id}`, { body: { containerId: other.id, title: `Moved ${n}` } })
    await ada.post('/annotation', { itemId: item.id, kind: annotationKind.note, body: 'A note' })
    await ada.must('PATCH', `/item/${item.id}`, { body: { severity: 1 + (n % 2), assignees: [] } })
  }
  await running.settle()

  /** The matches of a rule, each replayed together with the others, and by itself in the way of rules that act. */
  const bothWays = async (given: object) => {
    const found: { page: HistoryPage | undefined; together: DryRunEntry[]; apart: DryRunEntry[] } = {
      ...{ page: undefined, together: [], apart: [] },
    }
    const undone = new Error('rolled back')
    await database
      .transaction(tenantCaller(ada.tenantId), async system => {
        const caller = await callerInContext(system, ada.id, [])
        assert.ok(caller)
        const ctx = system.derive({ caller })
        const rule = await draftOf(ctx, { name: 'Tried', ...given })
        const period = { since: new Date(Date.now() - 3_600_000), until: new Date(Date.now() + 1000) }
        found.page = await historyPage(ctx, rule, period, undefined)
        found.together = await replay(ctx, rule, found.page.matched)
        const done = new Set<string>()
        for (const { occurrence, at } of found.page.matched) {
          // Without its conditions, it is matched and traced on the item that was put back.
          const alone: ReplayedOccurrence = { occurrence, ...(at ? { at } : {}) }
          const entries = await replay(ctx, rule, [alone], done)
          found.apart.push(...entries)
          for (const each of entries) if (each.outcome === outcome.acted) done.add(each.occurrence.itemId ?? '')
        }
        throw undone
      })
      .catch((error: unknown) => {
        if (error !== undone) throw error
      })
    return found
  }

  const created = { triggerEvent: triggerEvent['item.created'] }
  const updated = { triggerEvent: triggerEvent['item.updated'] }
  const toPeople = ['@author', '@actor', mia.id]
  const cases: Record<string, { rule: object; outcomes: number[] }> = {
    'sets a field': {
      rule: { ...created, conditionGroup: on('priority', operator.lessThan, '3'), actionValue: [set('severity', 3)] },
      outcomes: [outcome.acted],
    },
    'has no conditions and writes what it reads': {
      rule: {
        ...updated,
        actionValue: [
          set('title', '{{ item.title }} of {{ container.name }} by {{ actor.name }}'),
          {
            actionType: action.addNote,
            value: '{{ item.title }}, {{ item.priority }}, {{ field.vendor }}, {{ event.at }}',
          },
          { actionType: action.notify, value: { to: toPeople, text: '{{ item.title }} {{ item.tags }}' } },
          set('field.vendor', '{{ item.title }}'),
        ],
      },
      outcomes: [outcome.acted],
    },
    'compares what changed': {
      rule: {
        ...updated,
        conditionGroup: [...on('severity', operator.changed, ''), ...on('containerId', operator.changed, '')],
        actionValue: [{ actionType: action.addToList, field: 'tags', value: ['{{ item.key }}'] }],
      },
      outcomes: [outcome.acted],
    },
    'compares times and the actor': {
      rule: {
        ...updated,
        conditionGroup: [
          ...on('createdBy', operator.equals, '@actor'),
          ...on('updated', operator.withinLast, 'PT1H'),
          ...on('field.vendor', operator.startsWith, 'V'),
        ],
        actionValue: [{ actionType: action.adjust, field: 'dueDate', value: '+P2D' }],
      },
      outcomes: [outcome.acted],
    },
    'acts once per record, as the actor': {
      rule: { ...updated, oncePerRecord: true, runAs: runAs.actor, actionValue: [set('points', 1)] },
      outcomes: [outcome.acted],
    },
    'changes some items only': {
      rule: { ...created, actionValue: [set('priority', 2)] },
      outcomes: [outcome.acted, outcome.unchanged],
    },
    'fails for some items': {
      rule: {
        ...created,
        actionValue: [
          { actionType: action.sendMail, value: { to: [mia.id], subject: 'Hello', text: '{{ item.title }}' } },
          set('areaId', '{% if item.priority == 2 %}{{ item.id }}{% endif %}'),
        ],
      },
      outcomes: [outcome.acted, outcome.failed],
    },
    'creates items, which a saved rule hears': {
      rule: {
        ...created,
        actionValue: [{ actionType: action.createItem, value: { title: 'After {{ item.title }}', relation: 'child' } }],
      },
      outcomes: [outcome.acted],
    },
  }

  await ada.post('/rule', {
    ...{ name: 'Follows', active: true, triggerEvent: triggerEvent['item.created'] },
    conditionGroup: on('title', operator.startsWith, 'After'),
    actionValue: [set('priority', 2), { actionType: action.notify, value: { to: toPeople, text: '{{ item.title }}' } }],
  })
  for (const [name, { rule, outcomes }] of Object.entries(cases))
    test(`have the results of each by itself: a rule that ${name}`, async () => {
      const since = newId()
      const { together, apart } = await bothWays(rule)
      assert.ok(together.length >= 3, `${together.length} matched`)
      assert.deepEqual([...new Set(together.map(each => each.outcome))].sort(), outcomes)
      assert.deepEqual(
        together.map(each => withoutNewIds(each, since)),
        apart.map(each => withoutNewIds(each, since)),
      )
    })
})

const newIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** A result without what differs from run to run: its duration, the ids that it made, and the keys of new items. */
function withoutNewIds({ rule: _, ms: _ms, changeSetId: _own, ...entry }: DryRunEntry, since: Id): unknown {
  const next = entry.next.map(({ rule, ...each }) => ({ ...each, name: rule.name }))
  const text = JSON.stringify({ ...entry, next }).replaceAll(newIds, id => (id > since ? 'new' : id))
  return JSON.parse(text.replaceAll(/"after":"([A-Z]+)-\d+"/g, '"after":"$1"'))
}
