import assert from 'node:assert/strict'
import { test } from 'node:test'
import { domainFaults, subjectFaults } from './stop-list-faults.ts'

const wrongDomains = (...domains: string[]) => domainFaults(domains, 'd').map(each => each.Value)
const wrongSubjects = (...subjects: string[]) => subjectFaults(subjects, 's').map(each => each.Value)

test('a domain is a name with or without dots, in any script', () => {
  assert.deepEqual(
    wrongDomains(
      'example.com',
      'mail.example.co.uk',
      'localhost',
      'EXAMPLE.com',
      'müller.example',
      '_dmarc.example',
      'xn--bcher-kva.example',
    ),
    [],
  )
})

test('an address, a pattern or a text with a gap is not a domain', () => {
  const wrong = [
    'a@example.com',
    '*.example.com',
    'example..com',
    '.example.com',
    'example.com.',
    'exa mple.com',
    '-a.com',
    'https://example.com',
    `${'a'.repeat(64)}.com`,
  ]
  assert.deepEqual(wrongDomains(...wrong), wrong)
})

test('a subject is stopped by a text or by a pattern between slashes', () => {
  assert.deepEqual(wrongSubjects('out of office', 'a/b', '/', '//', '/^\\[spam\\]/', '/päivää|poissa/', '50% (off'), [])
})

test('a pattern must be valid in RE2', () => {
  const wrong = ['/(unclosed/', '/a(?=b)/', '/(a)\\1/', '/(?<!x)y/']
  assert.deepEqual(wrongSubjects(...wrong), wrong)
})

test('a blank text would stop everything, and is refused', () => {
  assert.deepEqual(wrongSubjects('  '), ['  '])
})

test('the cost of patterns is limited', () => {
  assert.equal(wrongSubjects(`/${'a{1000}'.repeat(60)}/`).length, 1)
  const worst = Array.from({ length: 1000 }, () => `/${'(\\pL{14}){14}|'.repeat(7)}${'[^a]'.repeat(90)}/`)
  assert.equal(wrongSubjects(...worst).length, 900)
})
