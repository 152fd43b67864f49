import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { engines } from '../../../test/support/engines.ts'
import { multipart } from '../../../test/support/multipart.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { eicar, noClamd, startClamd } from '../../../test/support/servers/clamd.ts'
import { eventually } from '../../../test/support/until.ts'
import { fileState } from './file-state.ts'

describe('an uploaded file', { skip: noClamd }, async () => {
  if (noClamd) return
  const clamd = await startClamd(['StreamMaxLength 1M'])
  const home = await startTestService({ CLAMD: clamd.place })
  const { ada, bob } = home

  async function upload(who: Person, content: string): Promise<string> {
    const { headers, body } = multipart({ file: content })
    const { status, body: file } = await who.ask('POST', '/file', { body, headers })
    assert.deepEqual([status, file.state], [201, fileState.scanning])
    return file.id
  }
  const state = async (id: string) => (await ada.get(`/file/${id}`)).state
  const download = async (id: string) => {
    const { status, body } = await ada.ask('GET', `/file/download/${id}`)
    return [status, status === 200 ? body : body.code]
  }

  test('is closed until the scanner has answered; then it is open or quarantined', async () => {
    const [ill, well, empty] = [
      await upload(bob, `before ${eicar}`),
      await upload(bob, 'harmless'),
      await upload(bob, ''),
    ]
    for (const id of [ill, well, empty]) assert.deepEqual(await download(id), [403, 'scanning'])
    const running = await engines(home, { CLAMD: clamd.place })
    await running.settle()
    assert.deepEqual(await Promise.all([ill, well, empty].map(state)), [
      fileState.quarantined,
      fileState.ready,
      fileState.ready,
    ])
    assert.deepEqual(await download(ill), [403, 'quarantined'])
    assert.deepEqual(await download(well), [200, 'harmless'])
    const kinds = (await ada.get(`/file/${ill}/history`)).map((each: { type: string }) => each.type)
    assert.deepEqual(kinds, ['file.created', 'file.quarantined'])
    // While the scanner is down, files wait.
    await clamd.stop()
    const waiting = await upload(bob, 'harmless, too')
    await eventually(
      async () =>
        await home.database.crossTenantSql<{
          error: string
        }>`select coalesce(last_error, '') as error from queued_job where task = 'scan-file'`,
      ([job]) => job?.error.includes('cannot be reached') === true,
    )
    assert.deepEqual(await download(waiting), [403, 'scanning'])
    await clamd.start()
    await home.database.crossTenantSql`update queued_job set run_at = now() where task = 'scan-file' returning 1`
    await eventually(
      () => state(waiting),
      now => now === fileState.ready,
    )
    // What the scanner refuses to scan does not pass.
    const large = await upload(bob, 'x'.repeat(3 * 1024 * 1024))
    await eventually(
      async () => {
        await home.database
          .crossTenantSql`update queued_job set run_at = now() where task = 'scan-file' and worker is null returning 1`
        return await state(large)
      },
      now => now === fileState.quarantined,
    )
  })
})
