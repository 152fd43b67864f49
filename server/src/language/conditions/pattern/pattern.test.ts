import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InertCondition } from '../condition-fault.ts'
import { readPattern } from './pattern.ts'
import { literalIn } from './pattern-literal.ts'

test('a pattern is rewritten, so that no part of it has another meaning in PostgreSQL', () => {
  const spellings = {
    'a.b': 'a[^\\u000a]b',
    '(?s)a.b': 'a.b',
    '^a$': '\\Aa\\Z',
    '(?m)^a$': '^a$',
    '(?m:^a)$': '(?:^a)\\Z',
    '\\Aa\\z': '\\Aa\\Z',
    '\\bfoo\\B': '\\yfoo\\Y',
    '(a)(?:b)(?P<x>c)(?<y>d)': '(?:a)(?:b)(?:c)(?:d)',
    '(?i)A|b': 'A|b',
    '\\d\\W': '[0-9][^0-9A-Za-z_]',
    '[^\\s-]': '[^\\u0009\\u000a\\u000c\\u000d\\u0020\\u002d]',
    '[a\\D]': '(?:[^0-9]|[a])',
    '[]a-f[:digit:]]': '[\\u005da-f0-9]',
    '[[.a.]]': '[\\u005b\\u002ea\\u002e]\\u005d',
    '\\x41\\x{1F600}\\n\\.': 'A😀\\u000a\\u002e',
    'a*?b+?c{2,}?': 'a*b+c{2,}',
    'a{,2}': 'a\\u007b\\u002c2\\u007d',
  }
  for (const [pattern, spelling] of Object.entries(spellings)) {
    assert.equal(readPattern(pattern), `(?w)${spelling}`)
  }
})

test('a pattern that is not linear, is ambiguous between engines or costs too much is refused', () => {
  const patterns = [
    '(?=a)',
    '(?<!a)b',
    '(a)\\1',
    '(',
    '[',
    'a**',
    '\\pL',
    '\\p{Greek}',
    '\\Qa.b\\E',
    '\\0',
    '\\x00',
    '(?U)a*',
    '(?-i)a',
    '[^a\\D]',
    '^*',
    '(?:\\b)+',
    '(\\ba)*',
    'a(?i)*',
    'a{256}',
    'a{0}',
    '(a{20}){20}',
    '((a?){8}){8}',
    '\\b'.repeat(9),
    '[\\x{80}-\\x{10FFFF}]',
    'a'.repeat(513),
  ]
  for (const pattern of patterns) assert.throws(() => readPattern(pattern), InertCondition, pattern)
})

test('a plain pattern has a literal that everything contains which it matches', () => {
  const literals = {
    '^printer': 'printer',
    'floor \\d': undefined,
    'floor.+room 7$': 'room 7',
    'colou?rs': 'colo',
    'abc*def': 'def',
    'abc{0,2}de': undefined,
    'ab+cd': undefined,
    'printer|scanner': undefined,
    '(printer)?': undefined,
    '[abc]def': undefined,
    'привет abc': ' abc',
  }
  for (const [pattern, literal] of Object.entries(literals)) assert.equal(literalIn(pattern), literal, pattern)
})
