import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLong } from '../../../../test/support/form.ts'
import { openMailParser } from './mail-parser.ts'
import { exceededLimit, measureMessage, messageLimits } from './size-limits.ts'

// Messages that are made to exhaust the parser.

// The time limit is long, because the machine may be busy.
const patience = 600_000

const head = 'From: a@people.test\r\nMIME-Version: 1.0\r\n'
const multipart = (name: string) => `Content-Type: multipart/mixed; boundary="${name}"\r\n\r\n`

test('ten thousand parts, a hundred levels and fifty megabytes of headers are found by counting', () => {
  const many = `${head}${multipart('b')}${'--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(10_000)}--b--`
  const deep = head + Array.from({ length: 100 }, (_, i) => `${multipart(`b${i}`)}--b${i}\r\n`).join('')
  const wide = `${head}${`X-A: ${'y'.repeat(990)}\r\n`.repeat(52_000)}\r\nx`
  const long = `${head}X-A: ${'y'.repeat(50 * 1024 * 1024)}\r\n\r\nx`
  assert.match(exceededLimit(measureMessage(Buffer.from(many))) ?? '', /more than 100 parts/)
  assert.match(exceededLimit(measureMessage(Buffer.from(deep))) ?? '', /more than 10 deep/)
  for (const raw of [wide, long]) assert.match(exceededLimit(measureMessage(Buffer.from(raw))) ?? '', /headers/)
})

// In the short form it is a third of that, which is still a multiple of what is kept of a text.
const contentSize = (isLong ? 17 : 5) * 1024 * 1024

test('the largest possible base64 content is parsed within the limits', async () => {
  const parser = openMailParser({ patience })
  const packed = Buffer.alloc(contentSize, 'a').toString('base64').replace(/.{76}/g, '$&\r\n')
  const of = (type: string) =>
    Buffer.from(`${head}Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${packed}\r\n`)
  assert.ok(of('text/plain').length < messageLimits.bytes)
  const text = await parser.parse(of('text/plain'))
  assert.equal(text.text.length, 200_000)
  const html = await parser.parse(of('text/html')).catch(error => error.message)
  assert.ok(typeof html === 'string' || html.html.length <= 1024 * 1024)
  const file = await parser.parse(of('application/octet-stream; name=bomb'))
  assert.equal(file.attachments[0]?.content.length, contentSize)
  // A message in a message in a message: the parser extracts the outermost one and does not parse the others.
  const inner = Array.from({ length: 300 }, () => 'Content-Type: message/rfc822\r\n\r\n').join('')
  const nested = await parser.parse(Buffer.from(`${head}${inner}Subject: x\r\n\r\nx`)).catch(error => error.message)
  assert.ok(typeof nested === 'string' || nested.attachments.length <= 1)
  assert.equal((await parser.parse(Buffer.from('From: a@people.test\r\n\r\nstill here'))).text.trim(), 'still here')
  await parser.close()
})

test('a parser thread that exceeds its memory fails one message only', async () => {
  const parser = openMailParser({ memory: 48, patience })
  const bomb = Buffer.from(`${head}Content-Type: text/html\r\n\r\n${'<b>'.repeat(4 * 1024 * 1024)}`)
  const burst = await parser.parse(bomb).then(
    () => '',
    error => error.message,
  )
  assert.match(burst, /memory|too long|cannot be read/)
  assert.equal((await parser.parse(Buffer.from('From: a@people.test\r\n\r\nstill here'))).text.trim(), 'still here')
  await parser.close()
})
