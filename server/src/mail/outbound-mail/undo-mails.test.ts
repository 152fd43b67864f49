import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { type Person, sharedTestService } from '../../../test/support/people.ts'
import { action } from '../../containers/action/action.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { templateKind } from '../../containers/content-template/content-template.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { mailState, updateProgress } from './outbound-mail.ts'

interface Mail {
  id: string
  to: string[]
  state: number
}

describe('undoing what was said', async () => {
  const home = await sharedTestService()
  const { ada, bob } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', kind: containerKind.desk })
  const open = () =>
    ada.post('/ticket', { title: 'No light', containerId: desk.id, requester: { email: 'rita@example.com' } })
  const plain = ({ version: _v, updated: _u, updatedBy: _b, ...rest }: Record<string, unknown>) => rest
  const seen = async (id: string) => plain(await ada.get(`/ticket/${id}`))
  /** What can still be read; a deleted annotation leaves a stub. */
  const said = async (id: string) =>
    (await ada.get(`/item/${id}/annotations`)).filter((each: { deleted: boolean }) => !each.deleted)
  const mailsOf = async (id: string): Promise<Mail[]> => await ada.get(`/mail/outbound?itemId=${id}`)

  async function changeSet(who: Person, path: string, body: object): Promise<string> {
    const { status, headers, body: told } = await who.ask('POST', path, { body })
    assert.ok(status < 300, JSON.stringify(told))
    return headers.get('change-set') ?? ''
  }

  test('a public reply is deleted, the ticket waits again, and the mail in the queue is cancelled', async () => {
    const { id } = await open()
    const before = await seen(id)
    const change = await changeSet(bob, `/ticket/${id}/reply`, { body: 'Press the button', status: 'Waiting' })
    await running.settle()
    assert.deepEqual(
      (await mailsOf(id)).map(each => each.state),
      [mailState.queued],
    )
    const { status, headers, body } = await bob.ask('POST', `/change/${change}/undo`)
    assert.deepEqual([status, body.warnings], [200, []], JSON.stringify(body))
    const undone = headers.get('change-set')
    assert.deepEqual(await seen(id), before)
    assert.deepEqual(await said(id), [])
    assert.deepEqual(
      (await mailsOf(id)).map(each => each.state),
      [mailState.cancelled],
    )
    const again = await bob.must('POST', `/change/${undone}/undo`)
    assert.match(again.warnings[0], /^the mail to rita@example.com was cancelled and is not sent/)
    assert.equal((await said(id)).length, 1)
  })

  test('a mail that was sent stays sent, and the answer says so', async () => {
    const { id } = await open()
    const change = await changeSet(bob, `/ticket/${id}/reply`, { body: 'Press the button' })
    await running.settle()
    const [mail] = await mailsOf(id)
    const values = { state: mailState.sent, nextAttempt: null }
    await home.database.transaction(tenantCaller(ada.tenantId), ctx =>
      updateProgress(ctx, mail?.id ?? '', { among: [mailState.queued], values, eventKind: 'mail.sent' }),
    )
    const { warnings } = await bob.must('POST', `/change/${change}/undo`)
    assert.deepEqual(warnings, ['the mail to rita@example.com was sent already and cannot be withdrawn'])
    assert.deepEqual(await said(id), [])
  })

  test('a macro is undone with its reply', async () => {
    const template = await ada.post('/content-template', {
      name: 'Solved',
      kind: templateKind.macro,
      body: 'It is solved.',
      actions: [{ actionType: action.setField, field: 'priority', value: 2 }, { actionType: action.close }],
    })
    const { id } = await open()
    const before = await seen(id)
    const change = await changeSet(bob, `/ticket/${id}/macro`, { templateId: template.id })
    assert.notDeepEqual(await seen(id), before)
    await bob.must('POST', `/change/${change}/undo`)
    assert.deepEqual(await seen(id), before)
    assert.deepEqual(await said(id), [])
    await running.settle()
    const left = (await mailsOf(id)).filter(each => each.state !== mailState.cancelled)
    assert.deepEqual(left, [])
  })
})
