import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { outcome as mailOutcome } from '../mail-message.ts'
import { readSpamHeaders } from './spam.ts'

test('the headers of several spam scanners are read', () => {
  const of = (name: string, value: string) => readSpamHeaders({ headers: [{ name, value }] })
  for (const [name, value] of [
    ['x-spam-flag', 'YES'],
    ['x-spam-status', 'Yes, score=7.1 required=5.0 tests=X'],
    ['x-spam', 'Yes'],
    ['x-rspamd-action', 'add header'],
    ['x-spamd-result', 'default: True [17.20 / 15.00]; X(1.0)'],
  ] as const)
    assert.match(of(name, value).flagged ?? '', /^the scanner says/, name)
  for (const [name, value] of [
    ['x-spam-flag', 'NO'],
    ['x-spam-status', 'No, score=-1.9'],
    ['x-rspamd-action', 'no action'],
    ['x-spamd-result', 'default: False [1.20 / 15.00]'],
    ['x-spam-flag', 'Yesterday'],
  ] as const)
    assert.equal(of(name, value).flagged, undefined, value)
  assert.equal(of('x-spam-status', 'No, score=-1.9 required=5').score, -1.9)
  assert.equal(of('x-spamd-result', 'default: False [1.20 / 15.00]').score, 1.2)
  assert.equal(of('x-spam-score', '1e999').score, undefined)
})

describe('spam', async () => {
  const home = await sharedTestService()
  const { ada } = home
  const running = await engines(home)
  const desk = await ada.post('/container', { name: 'Desk', key: 'HELP', kind: containerKind.desk })
  const mailboxOf = (name: string, spamHeaders: boolean) =>
    ada.post('/mail/mailbox', { name, address: `${name}@desk.test`, containerId: desk.id, spamHeaders })
  const [guarded, open] = [await mailboxOf('guarded', true), await mailboxOf('open', false)]
  let count = 0

  async function receive(mailbox: { id: string }, from: string, ...headers: string[]) {
    const raw = [`From: ${from}`, 'Subject: x', `Message-ID: <${++count}@x>`, ...headers, '', 'Hello'].join('\r\n')
    const { id } = await ada.post('/mail/message', { mailboxId: mailbox.id, raw })
    await running.settle()
    return await ada.get(`/mail/message/${id}`)
  }

  test('spam headers count only for mailboxes that trust their server', async () => {
    const stopped = await receive(guarded, 'x@spam.test', 'X-Spam-Flag: YES')
    assert.deepEqual(
      [stopped.outcome, stopped.reason],
      [mailOutcome.quarantined, 'the scanner says that it is spam (x-spam-flag: YES)'],
    )
    assert.equal((await receive(open, 'x@spam.test', 'X-Spam-Flag: YES')).outcome, mailOutcome.created)
    const passed = await receive(guarded, 'y@people.test', 'X-Spam-Flag: NO', 'X-Spam-Score: 2.5')
    assert.equal((await ada.get(`/ticket/${passed.itemId}`)).spamScore, 2.5)
    const unasked = await receive(open, 'y@people.test', 'X-Spam-Score: 2.5')
    assert.equal((await ada.get(`/ticket/${unasked.itemId}`)).spamScore, 0)
    assert.equal(
      (await receive(guarded, 'z@people.test', 'X-Spam-Flag: NO', 'X-Spam-Flag: YES')).outcome,
      mailOutcome.quarantined,
    )
    await ada.post(`/mail/message/${stopped.id}/release`, { trust: true })
    await running.settle()
    assert.equal((await ada.get(`/mail/message/${stopped.id}`)).outcome, mailOutcome.created)
    assert.equal((await receive(guarded, 'x@spam.test', 'X-Spam-Flag: YES')).outcome, mailOutcome.created)
  })

  test('a sender whose ticket was marked as spam is stopped until the mark is removed; users are not stopped', async () => {
    const first = await receive(open, 'buy@now.test')
    await ada.post(`/ticket/${first.itemId}/spam`, { spam: true })
    const second = await receive(open, 'buy@now.test')
    assert.deepEqual(
      [second.outcome, second.reason],
      [mailOutcome.quarantined, 'the last ticket of buy@now.test was marked as spam'],
    )
    assert.equal((await receive(open, 'other@now.test')).outcome, mailOutcome.created)
    await ada.post(`/ticket/${first.itemId}/spam`, { spam: false })
    assert.equal((await receive(open, 'buy@now.test')).outcome, mailOutcome.created)
    const fromBob = await receive(open, 'bob@example.com')
    await ada.post(`/ticket/${fromBob.itemId}/spam`, { spam: true })
    assert.equal((await receive(open, 'bob@example.com')).outcome, mailOutcome.created)
  })
})
