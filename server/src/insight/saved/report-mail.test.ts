import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import { type ParsedMail, simpleParser } from 'mailparser'
import { engines } from '../../../test/support/engines.ts'
import { type Person, startTestService } from '../../../test/support/people.ts'
import { eventually } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { itemVisibility } from '../../items/item/item.ts'
import { mailServers, missingServers } from '../../mail/test-support/test-servers.ts'
import { messageFormat } from '../../notify/notification/message/message-format.ts'
import { interval } from '../../notify/notification/notification-codes.ts'
import { notificationSendTaskName } from '../../notify/notification/run.ts'
import { mailSecurity } from '../../platform/mail-security.ts'

// Scheduled reports as they really go: through a Postfix into the mailboxes of their recipients.

describe('a scheduled report', { skip: missingServers }, async () => {
  if (missingServers) return
  const servers = await mailServers()
  const env = { OUTBOUND_ALLOW: servers.allow, MAIL_CA_FILE: servers.caFile }
  const home = await startTestService(env)
  const { ada, person, database } = home
  let running = await engines(home, env)
  const rita = await person({ name: 'Rita', email: 'rita@people.test' })
  const sam = await person({ name: 'Sam', email: 'sam@people.test' })
  const team = await ada.post('/user-group', { name: 'Team', members: [rita.id, sam.id] })
  const server = { host: 'localhost', user: '' }
  await ada.post('/mail/mailbox', {
    name: 'Desk',
    address: 'desk@desk.test',
    imap: { ...server, user: 'desk', port: servers.imapPort },
    smtp: { ...server, port: servers.smtpPort, security: mailSecurity.startTls },
    password: servers.password,
    active: true,
  })
  await ada.put('/mail/general', { defaultFrom: 'desk@desk.test' })
  const { id: desk } = await ada.post('/container', { name: 'Desk' })
  const add = (values: object) => ada.post('/item', { containerId: desk, status: 'Open', ...values })
  await add({ title: 'Plain' })
  await add({ title: 'Of Rita', visibility: itemVisibility.confidential, assignees: [rita.id] })
  const query = { entity: 'Item', groupBy: [{ field: 'status' }], measures: [{ op: 'count' }] }
  const saved = await ada.post('/insight/saved', { name: 'By status', query, shared: [team.id] })
  const schedule = async (values: object = {}) =>
    await ada.post('/notification', {
      name: 'Weekly <numbers>',
      active: true,
      interval: interval.weekly,
      recipientUserGroup: [team.id],
      savedReportId: saved.id,
      ...values,
    })

  /** Makes the planned run due, and waits for its end. */
  async function come(id: string): Promise<void> {
    await running.settle()
    await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`update queued_job set run_at = now(), payload = jsonb_set(payload, '{planned}', to_jsonb(to_char(now() - interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
        where tenant_id = ${ada.tenantId} and lane = ${`notification key ${id}`}`,
    )
    await running.settle()
  }

  /** The mails with this subject in a mailbox, as soon as there are so many. */
  async function arrived(box: string, subject: string, count: number): Promise<ParsedMail[]> {
    const read = async () => {
      const folders = ['new', 'cur'].map(part => join(servers.mail, box, part)).filter(each => existsSync(each))
      const files = folders.flatMap(folder => readdirSync(folder).map(file => join(folder, file)))
      const mails = await Promise.all(files.map(file => simpleParser(readFileSync(file))))
      return mails.filter(mail => mail.subject === subject)
    }
    return await eventually(read, found => found.length >= count)
  }
  const sentTo = async (id: string) => {
    const [run] = await ada.get(`/notification/${id}/log`)
    return Object.fromEntries(
      run.sent.map(({ to, count }: { to: string; count: number }) => [
        { [rita.id]: 'rita', [sam.id]: 'sam' }[to] ?? to,
        count,
      ]),
    )
  }
  const directly = async (who: Person): Promise<number> =>
    (await who.get(`/insight/saved/${saved.id}/run`)).rows.find((row: { status: string }) => row.status === 'Open')
      .count

  test('reaches each recipient as a table and a file, with what they may see themselves', async () => {
    const name = 'Weekly <numbers>'
    const { id, check } = await schedule({ format: messageFormat.csv })
    assert.deepEqual(check, [])
    await come(id)
    assert.deepEqual([await directly(rita), await directly(sam)], [2, 1])
    for (const [box, who] of [
      ['rita', rita],
      ['sam', sam],
    ] as const) {
      const [mail] = await arrived(box, name, 1)
      assert.match(
        String(mail?.html),
        new RegExp(`<td align="left">Open</td><td align="left">${await directly(who)}</td>`),
      )
      assert.match(mail?.text ?? '', new RegExp(`status \\| count\n(.*\n)*Open \\| ${await directly(who)}`))
      const [file] = mail?.attachments ?? []
      assert.equal(file?.filename, 'report.csv')
      assert.match(String(file?.content), new RegExp(`^status,count\r\n(.*\r\n)*Open,${await directly(who)}\r\n`))
    }
    await ada.put(`/notification/${id}`, { active: false })
  })

  test('can be a workbook', async () => {
    const { id } = await schedule({ name: 'Workbook', format: messageFormat.xlsx })
    await come(id)
    const [mail] = await arrived('sam', 'Workbook', 1)
    const sheet = unzipSync(new Uint8Array(mail?.attachments[0]?.content ?? []))['xl/worksheets/sheet1.xml']
    assert.match(strFromU8(sheet ?? new Uint8Array()), /Open<\/t><\/is><\/c><c><v>1<\/v>/)
    await ada.put(`/notification/${id}`, { active: false })
  })

  test('sends nothing to those who lost the right, or with whom the report is no longer shared', async () => {
    const audit = await ada.post('/insight/saved', {
      name: 'Audit',
      report: 'audit',
      period: 'today',
      shared: [team.id],
    })
    const { id } = await schedule({ name: 'Audit', savedReportId: audit.id })
    await come(id)
    assert.deepEqual(await sentTo(id), { rita: 0, sam: 0 })
    await ada.put(`/user/${rita.id}`, { role: 6 })
    await come(id)
    const { rita: rows, ...others } = await sentTo(id)
    assert.ok(rows > 0)
    assert.deepEqual(others, { sam: 0 })
    await ada.put(`/user/${rita.id}`, { role: 3 })
    await ada.put(`/notification/${id}`, { active: false })
    const narrow = await schedule({ name: 'Narrow' })
    await ada.put(`/insight/saved/${saved.id}`, { shared: [sam.id] })
    const findings: { path: string; code: string }[] = await ada.get(`/notification/${narrow.id}/check`)
    assert.deepEqual(
      findings.map(each => `${each.path} ${each.code}`),
      ['/recipientUserGroup/0 not-shared'],
    )
    await come(narrow.id)
    assert.deepEqual(await sentTo(narrow.id), { rita: 0, sam: 1 })
    await ada.put(`/insight/saved/${saved.id}`, { shared: [team.id] })
    await ada.put(`/notification/${narrow.id}`, { active: false })
  })

  test('is sent once for each occurrence, whatever is repeated after a restart', async () => {
    const { id } = await schedule({ name: 'Once' })
    await come(id)
    await running.stop()
    const [run] = await ada.get(`/notification/${id}/log`)
    // What a process leaves behind that dies after its work and before it has said so: the same jobs again.
    await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`insert into queued_job (tenant_id, id, task, lane, payload, run_at)
        select ${ada.tenantId}, gen_random_uuid(), x.task, x.lane, x.payload::jsonb, now() from (values
          ('notification', ${`again ${id}`}, ${JSON.stringify({ id, planned: run.planned })}),
          (${notificationSendTaskName}, ${`send ${id}`}, ${JSON.stringify({ runId: run.id, recipients: run.sent })})) as x (task, lane, payload) returning true`,
    )
    running = await engines(home, env)
    await running.settle()
    assert.equal((await ada.get(`/notification/${id}/log`)).length, 1)
    const queued = await database.single(
      tenantCaller(ada.tenantId),
      ctx => ctx.sql`select 1 from outbound_mail where tenant_id = ${ada.tenantId} and subject = 'Once'`,
    )
    assert.equal(queued.length, 2)
    // A later mail of the same server comes after whatever was sent before it.
    const later = await schedule({ name: 'Later' })
    await come(later.id)
    await arrived('rita', 'Later', 1)
    assert.equal((await arrived('rita', 'Once', 1)).length, 1)
    for (const each of [id, later.id]) await ada.put(`/notification/${each}`, { active: false })
  })

  test('fails visibly when its creator no longer sees the saved report, and names what has no effect', async () => {
    const { id, check } = await schedule({ name: 'Gone', groupBy: 'status', limiter: 1, interval: interval.onGain })
    assert.deepEqual(
      check.map((each: { path: string; code: string }) => `${each.path} ${each.code}`),
      ['/groupBy no-effect', '/limiter no-effect', '/interval no-effect'],
    )
    await ada.delete(`/insight/saved/${saved.id}`)
    await ada.post(`/notification/${id}/run`, undefined)
    const [run] = await ada.get(`/notification/${id}/log`)
    assert.match(run.error, /does not see the saved report/)
    await ada.must('POST', `/insight/saved/${saved.id}/restore`)
    const { count, messages } = await ada.post(`/notification/${id}/preview`, undefined)
    assert.deepEqual([count > 0, messages.length], [true, 2])
  })
})
