import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from '../../../../test/support/engines.ts'
import { sharedTestService } from '../../../../test/support/people.ts'
import { eicar, noClamd, startClamd } from '../../../../test/support/servers/clamd.ts'
import { eventually } from '../../../../test/support/until.ts'
import { containerKind } from '../../../containers/container-kind.ts'
import { outcome as mailOutcome } from '../mail-message.ts'

describe('viruses', { skip: noClamd }, async () => {
  if (noClamd) return
  const { place, start, stop } = await startClamd()
  const home = await sharedTestService()
  const { ada } = home
  const running = await engines(home, { CLAMD: place })
  const desk = await ada.post('/container', { name: 'Desk', key: 'HELP', kind: containerKind.desk })
  const mailbox = await ada.post('/mail/mailbox', { name: 'Help', address: 'help@desk.test', containerId: desk.id })
  let count = 0

  async function handIn(content: string): Promise<string> {
    const raw = [
      'From: rita@people.test',
      `Message-ID: <${++count}@people.test>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See the file.',
      '--b',
      'Content-Type: application/octet-stream; name=file.bin',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(content).toString('base64'),
      '--b--',
      '',
    ].join('\r\n')
    return (await ada.post('/mail/message', { mailboxId: mailbox.id, raw })).id
  }
  const message = (id: string) => ada.get(`/mail/message/${id}`)

  test('an infected message goes to quarantine, and none of its files is stored', async () => {
    const files = (await ada.get('/file')).length
    const [ill, well] = [await handIn(eicar), await handIn('harmless')]
    await running.settle()
    const found = await message(ill)
    assert.equal(found.outcome, mailOutcome.quarantined)
    assert.match(found.reason, /^the virus scanner found Own\.Eicar/)
    assert.equal((await message(well)).outcome, mailOutcome.created)
    assert.equal((await ada.get('/file')).length, files + 1)
    await ada.post(`/mail/message/${ill}/release`, {})
    await running.settle()
    assert.equal((await message(ill)).outcome, mailOutcome.quarantined)
  })

  test('while the scanner is down no message passes, and all are processed later', async () => {
    await stop()
    const id = await handIn('harmless, too')
    await sleep(2000) // the first attempt has been made by then
    assert.equal((await message(id)).outcome, mailOutcome.pending)
    await start()
    // The next attempt would be in five seconds.
    const { outcome } = await eventually(
      () => message(id),
      found => found.outcome !== mailOutcome.pending,
    )
    assert.equal(outcome, 1)
  })
})
