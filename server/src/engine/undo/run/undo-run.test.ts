import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asOwner } from '../../../../test/support/database/database.ts'
import { engines } from '../../../../test/support/engines.ts'
import { isLong } from '../../../../test/support/form.ts'
import { type Person, sharedTestService } from '../../../../test/support/people.ts'
import { callerForUser } from '../../../identity/authority.ts'
import { roleCode } from '../../../kernel/access.ts'
import { newId } from '../../../kernel/id.ts'
import { beginUndoRun, undoRunState } from './undo-run.ts'

const many = isLong ? 50 : 12

describe('the undo of a large change set', async () => {
  const home = await sharedTestService()
  const { ada, bob, person, database, databaseUrl } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk' })
  const items = (title: string) =>
    Array.from({ length: many }, (_, i) => ({
      title: `${title} ${i}`,
      containerId: desk.id,
      Time: [{ date: new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10), minutes: 30 }],
    }))

  const change = async (who: Person, path: string, body: object) => {
    const { status, headers, body: made } = await who.ask('POST', path, { body })
    assert.ok(status < 300, JSON.stringify(made))
    return headers.get('change-set') ?? ''
  }
  /** Begins a run as the operation does with a larger change set. */
  const begin = async (who: Person, changeSetId: string, { skips = false, scopes = [] as string[] } = {}) => {
    const caller = await callerForUser(database, who.tenantId, who.id, scopes)
    assert.ok(caller)
    const run = await database.transaction({ ...caller, kind: 'user' }, ctx =>
      beginUndoRun(ctx, { changeSetId, records: many, skips }),
    )
    await running.settle()
    return run.id
  }
  const left = async (title: string) =>
    (await ada.ask('GET', `/item?title[startsWith]=${title}&limit=1&count=exact`)).headers.get('x-total-count')
  const undoingOf = async (id: string) => (await ada.get(`/change/${id}`)).undoing

  test('is one change set, which can be undone again', async () => {
    const changeSet = await change(ada, '/item/bulk', items('whole'))
    const run = await begin(ada, changeSet)
    assert.equal(await left('whole'), '0')
    const { undoing, undoneBy } = await ada.get(`/change/${changeSet}`)
    assert.deepEqual([undoneBy, undoing.id, undoing.state], [run, run, undoRunState.done])
    assert.equal((await ada.ask('POST', `/change/${changeSet}/undo`)).body.code, 'already-undone')
    const again = await begin(ada, run)
    assert.deepEqual([await left('whole'), (await undoingOf(run)).state], [String(many), undoRunState.done])
    const { status, body } = await ada.ask('POST', `/change/${again}/undo`)
    assert.deepEqual([status, body.records, body.undoing, await left('whole')], [200, 2 * many, null, '0'])
    const [event] = await asOwner<{ kind: string; actor: string }>(
      databaseUrl,
      undefined,
      `select actor_kind as kind, actor_id as actor from event where change_set_id = $1 and kind = 'item.deleted' limit 1`,
      [run],
    )
    assert.deepEqual(event, { kind: 'user', actor: ada.id })
  })

  test('is refused as a whole because of one conflict, or leaves that record out', async () => {
    const changeSet = await change(ada, '/item/bulk', items('part'))
    const [first] = await ada.get('/item?title[startsWith]=part&limit=1&sort=number')
    await ada.put(`/item/${first.id}`, { title: 'part of something else' })
    await begin(ada, changeSet)
    const refused = await undoingOf(changeSet)
    assert.deepEqual(
      [refused.state, refused.skippedRecords, await left('part')],
      [undoRunState.refused, 1, String(many)],
    )
    assert.deepEqual(refused.conflicts, [{ entity: 'Item', recordId: first.id, property: 'version' }])
    await begin(ada, changeSet, { skips: true })
    const { state, skippedRecords } = await undoingOf(changeSet)
    assert.deepEqual([state, skippedRecords, await left('part')], [undoRunState.done, 1, '1'])
  })

  test('has the rights of who began it, within the scopes of their credential', async () => {
    const changeSet = await change(bob, '/item/bulk', items('own'))
    await begin(bob, changeSet, { scopes: ['change.undo', 'item.read'] })
    const { state, error } = (await bob.get(`/change/${changeSet}`)).undoing
    assert.deepEqual([state, await left('own')], [undoRunState.failed, String(many)])
    assert.match(error, /scopes/)
    const leaver = await person({ name: 'Leaver', role: roleCode.manager })
    const caller = await callerForUser(database, leaver.tenantId, leaver.id, [])
    assert.ok(caller)
    await ada.put(`/user/${leaver.id}`, { active: false })
    await database.transaction(caller, ctx =>
      beginUndoRun(ctx, { changeSetId: changeSet, records: many, skips: false }),
    )
    await running.settle()
    assert.equal((await undoingOf(changeSet)).error, 'who began it may no longer sign in')
    assert.equal(await left('own'), String(many))
  })

  test('begins by the usual operation', async () => {
    const changeSet = newId()
    await asOwner(
      databaseUrl,
      undefined,
      `insert into event (tenant_id, id, at, kind, entity, record_id, actor_id, actor_kind, change_set_id, changes)
       select $1, gen_random_uuid(), now(), 'label.updated', 'Label', gen_random_uuid(), $2, 'user', $3, '{"name": {"from": "a", "to": "b"}}'
       from generate_series(1, 5001)`,
      [ada.tenantId, ada.id, changeSet],
    )
    const dry = await ada.ask('POST', `/change/${changeSet}/undo?dryRun=true`)
    assert.deepEqual([dry.status, dry.body.code], [422, 'too-many-records'])
    const { status, body } = await ada.ask('POST', `/change/${changeSet}/undo`)
    assert.deepEqual(
      [status, body.records, body.undoing.records, body.undoing.state],
      [202, 0, 5001, undoRunState.running],
    )
    const again = await ada.ask('POST', `/change/${changeSet}/undo`)
    if (again.status !== 202) assert.deepEqual([again.status, again.body.code], [409, 'undo-running'])
    await running.settle()
    const [run] = await asOwner<{ state: number; skipped: number; conflicts: number }>(
      databaseUrl,
      undefined,
      'select state, skipped_records as skipped, jsonb_array_length(conflicts) as conflicts from undo_run where change_set_id = $1 order by id limit 1',
      [changeSet],
    )
    assert.deepEqual(run, { state: undoRunState.refused, skipped: 5001, conflicts: 100 })
  })
})
