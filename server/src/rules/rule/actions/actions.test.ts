import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../../test/support/database/database.ts'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { action, actionKind, actions, actionTypes, callKind } from '../../../containers/action/action.ts'
import { itemVisibility } from '../../../items/item/item.ts'
import { triggerEvent } from '../../../notify/trigger-event.ts'
import { outcome as ruleOutcome } from '../log/log.ts'
import { patchHandlers } from './patch-handlers.ts'
import { stepHandlers } from './step-handlers.ts'

describe('the table of actions', () => {
  test('every public code has an entry in its table', () => {
    for (const { code, name } of actionTypes.meanings) {
      const [value, call] = [actionKind(code), callKind(code)]
      // 0 stands for a POST in an endpoint that names no call.
      assert.equal((value ?? call)?.name, name, name)
      assert.equal(value === undefined, (call?.name as string) === name, name)
    }
  })

  test('exactly the actions that are performed have a handler', () => {
    const named = (runs: string) =>
      Object.entries(actions)
        .filter(([, kind]) => kind.runs === runs)
        .map(([name]) => name)
    assert.deepEqual(Object.keys(patchHandlers).sort(), named('patch').sort())
    assert.deepEqual(Object.keys(stepHandlers).sort(), named('step').sort())
    assert.deepEqual([named('veto'), named('never')], [['veto'], ['assist']])
  })

  test('codes keep their meaning', () => {
    const given = Object.entries(action).map(([name, code]) => `${code} ${name}`)
    assert.deepEqual(given, [
      ...['0 setField', '1 addToList', '2 removeFromList', '3 clearField', '4 adjust', '5 copyFrom'],
      ...['6 transition', '7 assign', '8 move', '9 addNote', '10 reply', '11 createItem', '12 link'],
      ...['13 addWatcher', '14 removeWatcher', '15 logTime', '16 clockStart', '17 clockPause', '18 clockResume'],
      ...['19 clockStop', '20 clockReset', '21 clockSwitch', '22 sendMail', '23 notify', '24 veto', '25 close'],
      ...['26 reopen', '27 archive', '28 delete', '29 mergeInto', '30 requestApproval', '31 restrict', '32 assist'],
      ...['40 httpPost', '41 httpPut', '42 httpPatch', '43 httpDelete', '44 httpGet', '45 slack', '46 teams', '47 sms'],
    ])
  })
})

describe('an action without an entry', async () => {
  const home = await sharedTestService()
  const { databaseUrl } = home
  const ada = home.ada.unchecked() // the stored actions are none that the service would accept
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk' })
  const afterAll = 1 + Math.max(...Object.values(action))
  /** Codes that no request can store, among them the text of one that would delete the item. */
  const strange: unknown[] = [afterAll, -1, 0.5, action.httpPost, String(action.delete), 'constructor']

  /** A rule whose actions are put into the database directly. */
  async function stored(mode: 'afterCommit' | 'beforeCommit') {
    const { id } = await ada.post('/rule', {
      name: mode,
      mode: mode === 'beforeCommit' ? 1 : 0,
      triggerEvent: triggerEvent['item.created'],
      container: [desk.id],
    })
    const actionValue = strange.map((code, n) => ({ id: `a${n}`, actionType: code, field: 'title', value: 'Changed' }))
    await asOwner(databaseUrl, undefined, 'update rule set action_value = $2 where id = $1', [
      id,
      JSON.stringify(actionValue),
    ])
    return await ada.put(`/rule/${id}`, { active: true })
  }

  for (const mode of ['afterCommit', 'beforeCommit'] as const)
    test(`changes nothing, and the rule and its log say so: ${mode}`, async () => {
      const rule = await stored(mode)
      const { check } = await ada.get(`/rule/${rule.id}`)
      assert.deepEqual(
        check.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
        strange.map((_, n) => `/actionValue/${n}/actionType unknown-code`),
      )
      const made = await ada.post('/item', { title: 'Printer', containerId: desk.id })
      await running.settle()
      const { updated, version, ...now } = await ada.get(`/item/${made.id}`)
      assert.deepEqual(
        [now.title, now.deleted, now.visibility, now.restrictedTo, version],
        ['Printer', false, itemVisibility.normal, [], made.version],
      )
      const [entry, ...more] = await ada.get(`/rule/${rule.id}/log`)
      assert.equal(more.length, 0)
      assert.deepEqual([entry.outcome, entry.error], [ruleOutcome.unchanged, ''])
      assert.deepEqual(
        entry.actions.map((each: { actionType: unknown; note: string }) => [each.actionType, each.note]),
        strange.map(code => [code, 'this action is not supported here']),
      )
      await ada.ask('DELETE', `/rule/${rule.id}`)
    })
})
