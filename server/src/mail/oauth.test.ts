import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { engines } from '../../test/support/engines.ts'
import { freePort } from '../../test/support/free-port.ts'
import { startTestService } from '../../test/support/people.ts'
import { eventually } from '../../test/support/until.ts'
import { containerKind } from '../containers/container-kind.ts'
import { mailSecurity } from '../platform/mail-security.ts'
import { outcome as mailOutcome } from './mail-message/mail-message.ts'
import { fetchingFor } from './test-support/test-fetch-mailboxes.ts'
import { mailServers, missingServers } from './test-support/test-servers.ts'

// Mailboxes that are opened by tokens and not by passwords, as the large providers want it: a Dovecot and a Postfix ask
// the provider whether a token is good.

describe('a mailbox that signs in by OAuth', { skip: missingServers }, async () => {
  if (missingServers) return
  const port = await freePort()
  const provider = {
    refreshToken: 'refresh-1',
    expiresIn: 3600,
    rotates: false,
    /** What was asked for, as forms. */
    asked: [] as Record<string, string>[],
    good: new Set<string>(),
  }
  const site = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = Object.fromEntries(new URLSearchParams(body))
    const answer = (status: number, json: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    if (request.url === '/introspect')
      return answer(200, {
        active: provider.good.has(form.token ?? ''),
        username: 'desk',
        token_type: 'Bearer',
        client_id: 'gantry',
      })
    provider.asked.push(form)
    if (form.client_id !== 'gantry') return answer(401, { error: 'invalid_client', error_description: 'SECRET-STORY' })
    const grants =
      form.grant_type === 'refresh_token'
        ? form.refresh_token === provider.refreshToken
        : form.client_secret === 'client-secret'
    if (!grants) return answer(400, { error: 'invalid_grant', error_description: 'SECRET-STORY' })
    const token = `token-${provider.asked.length}`
    provider.good.add(token)
    if (provider.rotates) provider.refreshToken = `refresh-${provider.asked.length + 1}`
    answer(200, {
      access_token: token,
      expires_in: provider.expiresIn,
      token_type: 'Bearer',
      ...(provider.rotates ? { refresh_token: provider.refreshToken } : {}),
    })
  }).listen(port, '127.0.0.1')
  after(() => site.close())

  const servers = await mailServers({ introspection: `http://127.0.0.1:${port}/introspect` })
  const env = {
    OUTBOUND_HTTP: 'true',
    OUTBOUND_ALLOW: `${servers.allow},127.0.0.1:${port}`,
    MAIL_CA_FILE: servers.caFile,
  }
  const home = await startTestService(env)
  const { ada, bob } = home
  const running = await engines(home, env)
  const { fetching } = fetchingFor(home, env)

  await ada.post('/admin/setting', { key: 'mail.undoSeconds', value: 0 })
  const desk = await ada.post('/container', { name: 'Desk', key: 'DESK', kind: containerKind.desk })
  const box = {
    name: 'Desk',
    address: 'desk@desk.test',
    auth: 'oauth',
    imap: { host: 'localhost', port: servers.imapPort },
    smtp: { host: 'localhost', port: servers.smtpPort, security: mailSecurity.startTls },
    oauth: { tokenUrl: `http://127.0.0.1:${port}/token`, clientId: 'gantry', scope: 'imap smtp offline_access' },
    containerId: desk.id,
  }
  const mailbox = await ada.post('/mail/mailbox', { ...box, refreshToken: 'refresh-1', clientSecret: 'client-secret' })

  test('the test of a mailbox uses a token that is requested once and not shown', async () => {
    const well = await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)
    assert.deepEqual([well.ok, well.imap, well.smtp], [true, 'ok', 'ok'])
    assert.equal(provider.asked.length, 1)
    assert.deepEqual(provider.asked[0], {
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'gantry',
      client_secret: 'client-secret',
      scope: 'imap smtp offline_access',
    })
    const shown = JSON.stringify([
      await ada.get(`/mail/mailbox/${mailbox.id}`),
      await ada.get(`/mail/mailbox/${mailbox.id}/history`),
    ])
    assert.doesNotMatch(shown, /refresh-1|client-secret|token-1/)
    assert.deepEqual([mailbox.refreshToken, mailbox.clientSecret], ['***', '***'])
  })

  test('mail is received and sent with a token', async () => {
    await ada.put(`/mail/mailbox/${mailbox.id}`, { active: true })
    fetching.start()
    await servers.drop(
      'desk',
      'From: rita@people.test\r\nTo: desk@desk.test\r\nSubject: By token\r\nMessage-ID: <t1@people.test>\r\n\r\nHello\r\n',
    )
    const message = await eventually(
      async () => (await ada.get('/mail/message')).find((each: { subject: string }) => each.subject === 'By token'),
      found => found?.outcome === mailOutcome.created,
    )
    await bob.post(`/ticket/${message.itemId}/reply`, { body: 'We have it.' })
    const [mail = ''] = await eventually(
      async () => servers.lying('rita'),
      found => found.length > 0,
    )
    assert.match(mail, /Authenticated sender: desk/)
    assert.equal((await ada.get(`/mail/mailbox/${mailbox.id}`)).state.lastError, '')
  })

  test('a token that the server rejects is requested again', async () => {
    await ada.put(`/mail/mailbox/${mailbox.id}`, { active: false })
    provider.good.clear()
    const asked = provider.asked.length
    const ill = await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)
    assert.match(ill.imap, /rejects the access token/)
    const well = await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)
    assert.deepEqual([well.imap, well.smtp], ['ok', 'ok'])
    assert.ok(provider.asked.length > asked)
  })

  test('a rotated refresh token is stored', async () => {
    provider.rotates = true
    provider.expiresIn = 30
    const ticket = await ada.post('/ticket', {
      title: 'Sam asks',
      containerId: desk.id,
      requester: { email: 'sam@people.test' },
    })
    provider.refreshToken = 'refresh-0'
    await ada.put(`/mail/mailbox/${mailbox.id}`, { refreshToken: 'refresh-0' })
    for (let i = 1; i <= 3; i++) {
      await bob.post(`/ticket/${ticket.id}/reply`, { body: `Answer ${i}` })
      await eventually(
        async () => servers.lying('sam'),
        found => found.length === i,
      )
    }
    const used = provider.asked.slice(-3).map(each => each.refresh_token)
    assert.equal(new Set(used).size, 3, JSON.stringify(used))
    assert.doesNotMatch(JSON.stringify(await ada.get(`/mail/mailbox/${mailbox.id}/history`)), /refresh-\d/)
    provider.rotates = false
    provider.expiresIn = 3600
  })

  test('a refusal says what to do, without further text of the provider', async () => {
    const lies = async (values: object) => {
      await ada.put(`/mail/mailbox/${mailbox.id}`, values)
      return (await ada.post(`/mail/mailbox/${mailbox.id}/test`, undefined)).imap
    }
    const grant = await lies({ refreshToken: 'gone' })
    assert.match(grant, /rejects the refresh token.*\(invalid_grant\)/)
    assert.doesNotMatch(grant, /SECRET-STORY/)
    await ada.put(`/mail/mailbox/${mailbox.id}`, { active: true })
    const { state } = await eventually(
      async () => await ada.get(`/mail/mailbox/${mailbox.id}`),
      found => /refresh token/.test(found.state.lastError),
    )
    assert.match(state.lastError, /enter the new token/)
    await ada.put(`/mail/mailbox/${mailbox.id}`, { active: false })
    assert.match(await lies({ oauth: { ...box.oauth, clientId: 'other' } }), /rejects the client/)
    assert.match(
      await lies({ oauth: { ...box.oauth, tokenUrl: `http://127.0.0.1:${port}/token` }, refreshToken: null }),
      /^ok$/,
    )
    assert.equal(provider.asked.at(-1)?.grant_type, 'client_credentials')
  })

  test('a secret is sent only to the host that it was entered for', async () => {
    for (const values of [
      { oauth: { ...box.oauth, tokenUrl: 'https://evil.example.com/token' } },
      { imap: { host: 'imap.evil.example.com' } },
      { smtp: { host: 'smtp.evil.example.com' } },
    ])
      assert.equal(
        (await ada.ask('PUT', `/mail/mailbox/${mailbox.id}`, { body: values })).body.Fields[0].Code,
        'other-host',
      )
    for (const tokenUrl of [
      'https://localhost/token',
      'https://10.0.0.1/token',
      'https://169.254.169.254/token',
      'http://[::1]:8443/token',
    ])
      assert.equal(
        (await ada.ask('POST', '/mail/mailbox', { body: { ...box, address: 'x@desk.test', oauth: { tokenUrl } } }))
          .status,
        400,
        tokenUrl,
      )
    const bare = await ada.post('/mail/mailbox', { ...box, address: 'bare@desk.test', oauth: {}, active: true })
    const codes = (await ada.get(`/mail/mailbox/${bare.id}/check`)).map((each: { path: string }) => each.path)
    assert.deepEqual(codes, ['/oauth/tokenUrl', '/oauth/clientId', '/refreshToken'])
    await running.settle()
  })
})
