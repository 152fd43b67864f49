import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portion } from './byte-range.ts'
import { disposition, plainName } from './file-name.ts'
import { isSafeInline, mediaType } from './media-type.ts'

test('the first bytes determine the media type', () => {
  const bytes = (...values: number[]) => Buffer.from(values)
  const cases: [Buffer | string, string, string][] = [
    [bytes(0xff, 0xd8, 0xff, 0xe0), 'a', 'image/jpeg'],
    ['GIF89a…', 'a', 'image/gif'],
    ['RIFF1234WEBPVP8 ', 'a', 'image/webp'],
    ['RIFF1234WAVEfmt ', 'a', 'audio/wav'],
    ['%PDF-1.7', 'a.html', 'application/pdf'],
    [
      'PK\x03\x04\x14\0\0\0word/document.xml',
      'a',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ],
    [
      `PK\x03\x04${'\0'.repeat(26)}mimetypeapplication/vnd.oasis.opendocument.textPK`,
      'a',
      'application/vnd.oasis.opendocument.text',
    ],
    ['PK\x03\x04\x14\0\0\0other', 'a.docx', 'application/zip'],
    ['MZ\x90\0', 'a.png', 'application/vnd.microsoft.portable-executable'],
    ['  \n<!doctype HTML>', 'a.txt', 'text/html'],
    ['<?xml version="1.0"?><!-- x --><svg>', 'a.png', 'image/svg+xml'],
    ['<?xml version="1.0"?><feed/>', 'a', 'application/xml'],
    ['a;b\n1;2', 'list.CSV', 'text/csv'],
    ['{"a":1}', 'a.json', 'application/json'],
    ['plain', 'a.png', 'text/plain'],
    [Buffer.from('🎉').subarray(0, 3), 'a', 'text/plain'],
    [bytes(0x61, 0x00, 0x62), 'a.txt', 'application/octet-stream'],
    [bytes(0xc3, 0x28, 0x41), 'a.txt', 'application/octet-stream'],
    [Buffer.alloc(0), 'a.txt', 'application/octet-stream'],
  ]
  for (const [head, name, type] of cases)
    assert.equal(mediaType(typeof head === 'string' ? Buffer.from(head, 'latin1') : head, name), type)
  assert.deepEqual(['image/png', 'image/svg+xml', 'text/html', 'application/pdf'].map(isSafeInline), [
    true,
    false,
    false,
    false,
  ])
})

test('a file name has no path and no deceptive characters', () => {
  const cases = {
    'a.txt': 'a.txt',
    '/etc/passwd': 'passwd',
    'a\\b/c.txt': 'c.txt',
    'dir/': '',
    '...': '',
    ' x ': 'x',
    'a\r\nb\0c': 'abc',
    'e\u0301': 'é',
    'x\u200by\u2066z': 'xyz',
    '.env': '.env',
    '\ud800a': '\ufffda',
  }
  for (const [given, plain] of Object.entries(cases)) assert.equal(plainName(given), plain)
})

test('a file name cannot break the content-disposition header', () => {
  assert.equal(
    disposition('a "b"\\c%.txt', false),
    `attachment; filename="a _b__c_.txt"; filename*=UTF-8''a%20%22b%22%5Cc%25.txt`,
  )
  assert.equal(
    disposition("it's (1)*.txt", true),
    `inline; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`,
  )
  assert.equal(disposition('世界', false), `attachment; filename="file"; filename*=UTF-8''%E4%B8%96%E7%95%8C`)
})

test('a range header gives one range, the whole file or a refusal', () => {
  const of = (range: string, size = 10, more: { ifRange?: string; ifNoneMatch?: string } = {}) =>
    portion({ range, ifRange: '', ifNoneMatch: '', ...more }, size, '"e"')
  const part = (start: number, end: number) => ({ kind: 'part', start, end })
  assert.deepEqual(of('bytes=0-0'), part(0, 0))
  assert.deepEqual(of('bytes=9-20'), part(9, 9))
  assert.deepEqual(of('bytes=-20'), part(0, 9))
  assert.deepEqual(of('Bytes= 3-4 '), part(3, 4))
  for (const range of [
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=a-b',
    'bytes=1-2,3-4',
    'bytes=1-2, 3-4',
    'bytes',
    'items=0-1',
    'bytes=99999999999999999999-',
  ])
    assert.deepEqual(of(range), { kind: 'whole' }, range)
  for (const range of ['bytes=10-', 'bytes=-0', 'bytes=11-12'])
    assert.deepEqual(of(range), { kind: 'unsatisfiable' }, range)
  for (const range of ['bytes=0-', 'bytes=-1']) assert.deepEqual(of(range, 0), { kind: 'unsatisfiable' }, range)
  assert.deepEqual(of('bytes=0-0', 10, { ifRange: '"e"' }), part(0, 0))
  for (const ifRange of ['"f"', 'W/"e"', 'Sat, 15 Nov 2026 00:00:00 GMT'])
    assert.deepEqual(of('bytes=0-0', 10, { ifRange }), { kind: 'whole' })
  for (const ifNoneMatch of ['"e"', '*', 'W/"e"', '"a", "e"'])
    assert.deepEqual(of('', 10, { ifNoneMatch }), { kind: 'known' })
})
