import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameServer } from '../../test-support/test-name-server.ts'
import { signerFor } from '../../test-support/test-signer.ts'
import { openMailParser } from '../parsing/mail-parser.ts'
import { trustedResults } from './authentication-results.ts'
import { authenticityOf, senderProof, spoofReason } from './authenticity.ts'
import { dnsQuery } from './name-server.ts'
import { verifySender } from './verify-sender.ts'

// Each way to prove the sender of a mail, and each way to forge it.

describe('the authenticity of a mail', async () => {
  const dns = await nameServer()
  const parser = openMailParser()
  const [shop, evil] = [signerFor('shop.test'), signerFor('evil.test')]
  for (const { name, text } of [shop, evil]) dns.texts.set(name, [text])
  dns.texts.set('_dmarc.shop.test', ['v=DMARC1; p=reject'])
  dns.texts.set('shop.test', ['v=spf1 ip4:93.184.216.34 -all'])
  dns.texts.set('_dmarc.watch.test', ['v=DMARC1; p=none'])
  dns.texts.set('_dmarc.soft.test', ['v=DMARC1; p=quarantine'])
  dns.texts.set('_dmarc.evil.test', ['v=DMARC1; p=reject'])

  const letter = (from: string, ...headers: string[]) =>
    [...headers, `From: ${from}`, 'To: desk@desk.test', 'Subject: x', 'Message-ID: <1@x>', '', 'Hello', ''].join('\r\n')

  async function look(
    raw: string,
    { hosts = [] as string[], mailDns = [dns.place] as 'off' | string[], demandProof = false } = {},
  ) {
    const bytes = Buffer.from(raw)
    const mail = await parser.parse(bytes)
    return authenticityOf(mail, await verifySender(bytes, mail, { hosts, ask: dnsQuery({ mailDns }) }), { demandProof })
  }

  const hop = (ip: string, by = 'mx.desk.test', how = '') =>
    `Received: from mail.shop.test (mail.shop.test [${ip}]) by ${by} with ESMTP${how}`

  test('a signature of the domain proves the sender, and one of another domain does not', async () => {
    const proven = await look(await shop.sign(letter('rita@shop.test')))
    assert.deepEqual(proven, {
      by: 'gantry',
      spf: '',
      dkim: 'pass',
      dmarc: 'pass',
      policy: 'reject',
      verdict: senderProof.proven,
      domain: 'shop.test',
    })
    assert.equal((await look(await shop.sign(letter('rita@mail.shop.test')))).verdict, senderProof.proven)
    const foreign = await look(await evil.sign(letter('rita@shop.test')))
    assert.deepEqual([foreign.verdict, foreign.dkim, foreign.dmarc], [senderProof.unproven, 'none', 'neutral'])
    const altered = await look((await shop.sign(letter('rita@shop.test'))).replace('Hello', 'Give me all'))
    assert.deepEqual([altered.verdict, altered.dkim], [senderProof.unproven, 'fail'])
    const other = await look((await shop.sign(letter('rita@shop.test'))).replace('From: rita', 'From: boss'))
    assert.deepEqual([other.verdict, other.dkim], [senderProof.unproven, 'fail'])
  })

  test('a signature that does not cover the end of a message proves nothing', async () => {
    const signed = await shop.sign(letter('rita@shop.test'), { maxBodyLength: 7 })
    assert.equal((await look(`${signed}And give me all your money.\r\n`)).verdict, senderProof.unproven)
  })

  test('the sending host counts if the mailbox trusts its server, and only as that server recorded it', async () => {
    const hosts = ['mx.desk.test']
    const from = (...headers: string[]) => letter('rita@shop.test', ...headers)
    const path = 'Return-Path: <rita@shop.test>'
    const came = await look(from(path, hop('93.184.216.34')), { hosts })
    assert.deepEqual([came.verdict, came.spf, came.dmarc], [senderProof.proven, 'pass', 'pass'])
    const elsewhere = await look(from(path, hop('203.0.114.7')), { hosts })
    assert.deepEqual([elsewhere.verdict, elsewhere.spf, elsewhere.dmarc], [senderProof.unproven, 'fail', 'fail'])
    assert.equal(spoofReason(elsewhere, 0), 'it is not from shop.test, which wants such mail to be refused (DMARC)')
    // The topmost header is of an unknown server, or names no sending host.
    for (const lines of [
      [hop('93.184.216.34', 'mx.evil.test')],
      [hop('203.0.114.7'), hop('93.184.216.34')],
      ['Received: from unknown (HELO mx.desk.test) (203.0.114.7) by mx.desk.test with SMTP', hop('93.184.216.34')],
      ['Received: from [93.184.216.34] (unknown [203.0.114.7]) by mx.desk.test with SMTP'],
    ])
      assert.equal((await look(from(path, ...lines), { hosts })).verdict, senderProof.unproven, lines[0])
    const passedOn = 'Received: from mx.desk.test by mx.desk.test with LMTP id 1'
    assert.equal((await look(from(path, passedOn, hop('93.184.216.34')), { hosts })).verdict, senderProof.proven)
    assert.equal(
      (await look(from('Return-Path: <x@evil.test>', hop('93.184.216.34')), { hosts })).verdict,
      senderProof.unproven,
    )
  })

  test('the policy of the domain and spoofPolicy decide whether forged mail goes to quarantine', async () => {
    const hosts = ['mx.desk.test']
    const forged = async (domain: string) => await look(letter(`x@${domain}`, hop('203.0.114.7')), { hosts })
    const apart = async (domain: string) => {
      const found = await forged(domain)
      return [0, 1, 2].map(policy => spoofReason(found, policy) !== undefined)
    }
    assert.deepEqual(await apart('shop.test'), [true, true, false])
    assert.deepEqual(await apart('soft.test'), [false, true, false])
    assert.deepEqual(await apart('watch.test'), [false, false, false])
    assert.deepEqual(
      await Promise.all(['shop.test', 'soft.test', 'watch.test'].map(async each => (await forged(each)).verdict)),
      [2, 2, 2],
    )
  })

  test('mail of a domain with the policy none stays unknown if the sending host is unknown', async () => {
    const { verdict, dmarc, policy } = await look(letter('x@watch.test'))
    assert.deepEqual([verdict, dmarc, policy], [senderProof.unknown, 'neutral', 'none'])
  })

  test('mail of a domain that publishes nothing is unknown, or unproven with demandProof', async () => {
    const quiet = await look(letter('sam@plain.test'))
    assert.deepEqual([quiet.verdict, quiet.dmarc], [senderProof.unknown, 'none'])
    assert.equal((await look(letter('sam@plain.test'), { demandProof: true })).verdict, senderProof.unproven)
    assert.equal(
      (await look(letter('sam@plain.test'), { demandProof: true, mailDns: 'off' })).verdict,
      senderProof.unknown,
    )
  })

  test('a mail with two authors is unproven', async () => {
    for (const raw of [
      await shop.sign(letter('rita@shop.test', 'From: bob@example.com')),
      await shop.sign(letter('bob@example.com', 'From: rita@shop.test')),
      await shop.sign(letter('bob@example.com, rita@shop.test')),
      await evil.sign(letter('bob@example.com, x@evil.test')),
    ])
      for (const mailDns of ['off' as const, [dns.place]])
        assert.equal((await look(raw, { mailDns })).verdict, senderProof.unproven, raw)
  })

  test('a name server that does not answer leaves the sender unknown', async () => {
    dns.broken.add('_dmarc.down.test')
    const down = await look(letter('x@down.test'))
    assert.deepEqual([down.verdict, down.dmarc], [senderProof.unknown, 'temperror'])
    const nobody = await look(letter('x@shop.test'), { mailDns: ['127.0.0.1:9'] })
    assert.equal(nobody.verdict, senderProof.unknown)
  })

  test('a mail cannot cause an unlimited number of queries, or queries for other signers', async () => {
    dns.asked.length = 0
    const many = Array.from(
      { length: 60 },
      (_, i) => `DKIM-Signature: v=1; a=rsa-sha256; d=shop.test; s=x${i}; h=from; bh=; b=`,
    )
    const found = await look(letter('rita@shop.test', ...many))
    assert.deepEqual([found.verdict, found.dkim], [senderProof.unproven, 'permerror'])
    await look(await evil.sign(letter('rita@shop.test')))
    assert.equal((await look(await evil.sign(await shop.sign(letter('rita@shop.test'))))).verdict, senderProof.proven)
    await look(letter('rita@shop.test', 'Return-Path: <x@evil.test>', hop('203.0.114.7')), { hosts: ['mx.desk.test'] })
    assert.ok(dns.asked.length < 20, String(dns.asked.length))
    assert.deepEqual(
      dns.asked.filter(each => /evil\.test/.test(each)),
      [],
    )
  })

  test('the results of a trusted server count if they are on top and about the author', async () => {
    const hosts = ['mx.desk.test']
    const said = (rest: string, host = 'mx.desk.test') => `Authentication-Results: ${host}; ${rest}`
    const verdictOf = async (...headers: string[]) =>
      (await look(letter('x@nowhere.test', ...headers), { hosts, mailDns: 'off' })).verdict
    const pass = said('dmarc=pass (p=REJECT sp=NONE dis=NONE) header.from=nowhere.test')
    const fail = said('dmarc=fail action=oreject header.from=nowhere.test')
    assert.equal(await verdictOf(pass), 1)
    assert.equal(await verdictOf(fail), 2)
    assert.equal(await verdictOf(pass, 'Received: from a (a [1.2.3.4]) by mx.desk.test', fail), 1)
    assert.equal(await verdictOf(fail, 'Received: from a (a [1.2.3.4]) by mx.desk.test', pass), 2)
    assert.equal(await verdictOf('Received: from a (a [1.2.3.4]) by mx.desk.test', fail, pass), 2)
    const silent = said('spf=pass smtp.mailfrom=x@evil.test')
    assert.equal(await verdictOf(silent, 'Received: from a (a [1.2.3.4]) by mx.desk.test', pass), 0)
    assert.equal(await verdictOf('Received: from a (a [1.2.3.4]) by mx.desk.test', silent, pass), 0)
    assert.equal(await verdictOf(said('dmarc=fail', 'other.test'), pass), 0)
    assert.equal(await verdictOf(said('dmarc=pass header.from=evil.test')), 0)
    assert.equal(await verdictOf(said('dkim=pass header.d=nowhere.test')), 1)
    assert.equal(await verdictOf(said('dkim=pass header.d=evil.test; spf=pass smtp.mailfrom=x@evil.test')), 0)
    assert.equal(await verdictOf(said('spf=pass (a;b dmarc=pass) smtp.mailfrom="x@nowhere.test"')), 1)
    assert.equal(await verdictOf(said('x=y (dmarc=pass header.from=nowhere.test)')), 0)
    assert.equal(await verdictOf(said('dmarc=pass', 'mx.desk.test.evil.test')), 0)
    assert.equal(trustedResults({ headers: [] }, hosts), undefined)
  })

  test('without a DMARC result of the server, its SPF and DKIM results decide', async () => {
    const hosts = ['mx.desk.test']
    const said = (rest: string) => letter('rita@shop.test', `Authentication-Results: mx.desk.test; ${rest}`)
    assert.equal((await look(said('dkim=pass header.i=@shop.test; spf=fail'), { hosts })).verdict, senderProof.proven)
    const none = await look(said('dkim=none; spf=softfail smtp.mailfrom=rita@shop.test'), { hosts })
    assert.deepEqual(
      [none.verdict, none.dmarc, none.policy, none.by],
      [senderProof.unproven, 'fail', 'reject', 'mx.desk.test'],
    )
  })
})
