import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fieldTypes } from '../field-record.ts'
import { defaultOf, isValueFault, readFieldValue } from './value.ts'
import type { FieldRules } from './value-types.ts'

const someone = '0199c0de-0000-7000-8000-00000000ABCD'

const options = [
  { id: 'lo', label: 'Low', active: true },
  { id: 'hi', label: 'Hoch & Höher', active: true },
  { id: 'old', label: 'Retired', active: false },
  { id: 'low', label: '7', active: true },
]

const tree = [
  { id: 'eu', label: 'Europe', active: true, parentId: '' },
  { id: 'de', label: 'Germany', active: true, parentId: 'eu' },
  { id: 'be', label: 'Berlin', active: true, parentId: 'de' },
  { id: 'us', label: 'America', active: true, parentId: '' },
  { id: 'ub', label: 'Berlin', active: true, parentId: 'us' },
  { id: 'old', label: 'Retired', active: false, parentId: 'eu' },
]

function field(fieldType: string, more: Partial<FieldRules> = {}): FieldRules {
  return {
    fieldType,
    options,
    min: null,
    max: null,
    pattern: '',
    allowDay: false,
    allowHour: false,
    allowMinute: false,
    currency: '',
    precision: null,
    multiple: false,
    ...more,
  }
}

type Case = [field: FieldRules, given: unknown, shown: unknown, rows?: object[]]

const taken: Case[] = [
  // null and an empty text clear a value of any type.
  ...fieldTypes.flatMap<Case>(type => [
    [field(type), null, null, []],
    [field(type), '', null, []],
    [field(type), undefined, null, []],
  ]),
  [field('text'), 'red', 'red', [{ text: 'red' }]],
  [field('text'), ' red ', ' red '],
  [field('text'), 12, '12', [{ text: '12' }]],
  [field('text'), 'x'.repeat(4000), 'x'.repeat(4000)],
  [field('text', { pattern: '^[A-Z]{2}-\\d+$' }), 'AB-12', 'AB-12'],
  [field('text', { pattern: 'b+' }), 'abbc', 'abbc'],
  [field('text', { pattern: '(' }), 'anything', 'anything'],
  [field('longText', { pattern: '^never$' }), 'x'.repeat(100_000), 'x'.repeat(100_000)],
  [field('number'), 0, 0, [{ number: 0 }]],
  [field('number'), -1.5, -1.5, [{ number: -1.5 }]],
  [field('number'), ' 2.50 ', 2.5, [{ number: 2.5 }]],
  [field('number'), '1e3', 1000],
  [field('number'), 1e15, 1e15],
  [field('number', { min: 0, max: 5 }), 0, 0],
  [field('number', { min: 0, max: 5 }), 5, 5],
  [field('boolean'), true, true, [{ number: 1 }]],
  [field('boolean'), false, false, [{ number: 0 }]],
  [field('boolean'), 'True', true],
  [field('boolean'), ' false ', false],
  [field('date'), '2026-02-28', '2026-02-28', [{ date: '2026-02-28' }]],
  [field('date'), '2024-02-29', '2024-02-29'],
  [field('dateTime'), '2026-03-31T09:00:00Z', '2026-03-31T09:00:00.000Z', [{ instant: '2026-03-31T09:00:00.000Z' }]],
  [field('dateTime'), '2026-03-31 09:00+0200', '2026-03-31T07:00:00.000Z'],
  [field('dateTime'), '2026-03-31t09:00:00.5-05:30', '2026-03-31T14:30:00.500Z'],
  [field('dateTime'), '0005-03-31 09:00Z', '0005-03-31T09:00:00.000Z'],
  [field('time'), 150, 150, [{ number: 150 }]],
  [field('time'), 0, 0],
  [field('time'), '150', 150],
  [field('time'), '2d 3h 15m', 2 * 480 + 3 * 60 + 15],
  [field('time'), '2D3H15M', 1155],
  [field('time'), ' 3h  15 m ', 195],
  [field('time'), '2:30', 150],
  [field('time'), '0:05', 5],
  [field('time'), '100:00', 6000],
  [field('time'), '2.5h', 150],
  [field('time'), '1.1h', 66],
  [field('time'), '0.5d', 240],
  [field('time'), '0.33h', 20],
  [field('time'), '1d', 480],
  [field('time', { allowHour: true }), '3h', 180],
  [field('time', { allowHour: true }), 95, 95],
  [field('time', { allowHour: true }), '95', 95],
  [field('time', { allowDay: true, allowMinute: true }), '1d 5m', 485],
  [field('time', { allowHour: true, allowMinute: true }), '1:05', 65],
  [field('time', { min: 15, max: 480 }), '8h', 480],
  [field('select'), 'lo', 'lo', [{ text: 'lo' }]],
  [field('select'), 'LOW', 'lo'],
  [field('select'), 'low', 'low'],
  [field('select'), ' hoch & HÖHER ', 'hi'],
  [field('select'), 7, 'low'],
  [field('multiSelect'), ['hi', 'Low'], ['hi', 'lo'], [{ text: 'hi' }, { text: 'lo' }]],
  [field('multiSelect'), ['lo', 'LOW', 'lo'], ['lo']],
  [field('multiSelect'), 'lo', ['lo']],
  [field('multiSelect'), [], null, []],
  [field('user'), someone, someone.toLowerCase(), [{ id: someone.toLowerCase() }]],
  [field('url'), 'https://example.com/a?b=c', 'https://example.com/a?b=c', [{ text: 'https://example.com/a?b=c' }]],
  [field('url'), ' http://example.com ', 'http://example.com'],
  [
    field('url', { multiple: true }),
    ['http://a.example', 'http://a.example', 'http://b.example'],
    ['http://a.example', 'http://b.example'],
    [{ text: 'http://a.example' }, { text: 'http://b.example' }],
  ],
  [field('number', { precision: 2 }), 1.25, 1.25],
  [field('number', { precision: 0 }), '3', 3],
  [field('number', { multiple: true }), 3, 3],
  [field('money', { currency: 'EUR' }), 12.5, { amount: 12.5, currency: 'EUR' }, [{ number: 12.5, text: 'EUR' }]],
  [field('money', { currency: 'EUR' }), '12.50', { amount: 12.5, currency: 'EUR' }],
  [field('money', { currency: 'EUR' }), { amount: '0.1' }, { amount: 0.1, currency: 'EUR' }],
  [field('money'), { amount: -3, currency: 'usd' }, { amount: -3, currency: 'USD' }],
  [field('money'), { amount: 1.234, currency: 'BHD' }, { amount: 1.234, currency: 'BHD' }],
  [field('money', { precision: 4 }), { amount: 0.0001, currency: 'EUR' }, { amount: 0.0001, currency: 'EUR' }],
  [field('userGroup'), someone, someone.toLowerCase(), [{ id: someone.toLowerCase() }]],
  [field('item'), someone, someone.toLowerCase()],
  [field('crm'), someone, someone.toLowerCase()],
  [field('file'), someone, someone.toLowerCase()],
  [
    field('user', { multiple: true }),
    [someone, someone.toLowerCase()],
    [someone.toLowerCase()],
    [{ id: someone.toLowerCase() }],
  ],
  [field('user', { multiple: true }), someone, [someone.toLowerCase()]],
  [field('user', { multiple: true }), [], null, []],
  [field('sku'), ' GOLD-1 ', 'GOLD-1', [{ text: 'GOLD-1' }]],
  [field('sku'), 4711, '4711'],
  [field('cascade', { options: tree }), 'be', ['eu', 'de', 'be'], [{ text: 'eu' }, { text: 'de' }, { text: 'be' }]],
  [field('cascade', { options: tree }), ['America', 'berlin'], ['us', 'ub']],
  [field('cascade', { options: tree }), ['eu'], ['eu']],
  [field('cascade', { options: tree }), 'Berlin', ['eu', 'de', 'be']],
  [field('cascade', { options: tree }), [], null, []],
  [field('json'), { a: [1, null, 'x'] }, { a: [1, null, 'x'] }, []],
  [field('json'), 0, 0],
  [field('json'), false, false],
  [field('json'), [], []],
]

const refused: [field: FieldRules, given: unknown, code: string][] = [
  [field('text'), true, 'type'],
  [field('text'), {}, 'type'],
  [field('text'), ['a'], 'type'],
  [field('text'), 'x'.repeat(4001), 'maxLength'],
  [field('text', { pattern: '^[A-Z]{2}-\\d+$' }), 'ab-12', 'pattern'],
  [field('longText'), 'x'.repeat(100_001), 'maxLength'],
  [field('number'), 'five', 'number'],
  [field('number'), '1,5', 'number'],
  [field('number'), '0x10', 'number'],
  [field('number'), true, 'number'],
  [field('number'), Number.POSITIVE_INFINITY, 'number'],
  [field('number'), [1], 'number'],
  [field('number'), 1e16, 'range'],
  [field('number', { min: 0, max: 5 }), -0.1, 'minimum'],
  [field('number', { min: 0, max: 5 }), 5.1, 'maximum'],
  [field('boolean'), 1, 'boolean'],
  [field('boolean'), 'yes', 'boolean'],
  [field('boolean'), 'constructor', 'boolean'],
  [field('date'), '2026-02-29', 'date'],
  [field('date'), '31.03.2026', 'date'],
  [field('date'), '2026-03-31T09:00:00Z', 'date'],
  [field('date'), 20260331, 'date'],
  [field('dateTime'), '2026-03-31', 'date-time'],
  [field('dateTime'), '2026-03-31T09:00:00', 'date-time'],
  [field('dateTime'), '2026-03-31T25:00:00Z', 'date-time'],
  [field('dateTime'), 1774947600000, 'date-time'],
  [field('time'), -5, 'duration'],
  [field('time'), 2.5, 'duration'],
  [field('time'), '2:60', 'duration'],
  [field('time'), '15m 3h', 'duration'],
  [field('time'), '3h 3h', 'duration'],
  [field('time'), 'soon', 'duration'],
  [field('time'), ' ', 'duration'],
  [field('time'), '-1h', 'duration'],
  [field('time'), '2w', 'duration'],
  [field('time'), true, 'duration'],
  [field('time'), [150], 'duration'],
  [field('time'), 3_000_000_000, 'range'],
  [field('time'), '99999999d', 'range'],
  [field('time', { allowHour: true }), '1d', 'unit'],
  [field('time', { allowHour: true }), '1h 5m', 'unit'],
  [field('time', { allowHour: true }), '1:05', 'unit'],
  [field('time', { allowDay: true }), '2h', 'unit'],
  [field('time', { min: 15, max: 480 }), '10m', 'minimum'],
  [field('time', { min: 15, max: 480 }), '9h', 'maximum'],
  [field('select'), 'Medium', 'option'],
  [field('select'), ['lo'], 'type'],
  [field('select'), 'Retired', 'option-inactive'],
  [field('select'), 'old', 'option-inactive'],
  [field('select', { options: [] }), 'lo', 'option'],
  [field('multiSelect'), ['lo', 'Medium'], 'option'],
  [field('multiSelect'), ['lo', null], 'type'],
  [field('user'), 'ada', 'user'],
  [field('user'), { id: someone }, 'user'],
  [field('url'), 'javascript:alert(1)', 'url'],
  [field('url'), 'ftp://example.com', 'url'],
  [field('url'), 'https://user:secret@example.com', 'url'],
  [field('url'), 'example.com', 'url'],
  [field('url'), `https://example.com/${'x'.repeat(2000)}`, 'url'],
  [field('url'), 5, 'url'],
  [field('number', { precision: 2 }), 1.255, 'precision'],
  [field('number', { precision: 0 }), 0.5, 'precision'],
  [field('money'), 5, 'currency'],
  [field('money'), { amount: 5, currency: 'euro' }, 'currency'],
  [field('money'), { amount: 5, currency: 7 }, 'currency'],
  [field('money', { currency: 'EUR' }), { amount: 5, currency: 'USD' }, 'currency'],
  [field('money', { currency: 'EUR' }), { currency: 'EUR' }, 'number'],
  [field('money', { currency: 'EUR' }), { amount: 5, cents: 3 }, 'money'],
  [field('money', { currency: 'EUR' }), 'much', 'number'],
  [field('money', { currency: 'EUR' }), 0.125, 'precision'],
  [field('money', { currency: 'JPY' }), 0.5, 'precision'],
  [field('money', { currency: 'EUR', max: 10 }), 10.01, 'maximum'],
  [field('money', { currency: 'EUR' }), [5], 'number'],
  [field('userGroup'), 'staff', 'userGroup'],
  [field('item'), 5, 'item'],
  [field('crm'), [someone], 'crm'],
  [field('file'), {}, 'file'],
  [field('user', { multiple: true }), [someone, 'bob'], 'user'],
  [field('user', { multiple: true }), Array.from({ length: 101 }, () => crypto.randomUUID()), 'maxItems'],
  [field('sku'), '  ', 'type'],
  [field('sku'), 'x'.repeat(121), 'maxLength'],
  [field('cascade', { options: tree }), ['eu', 'ub'], 'option'],
  [field('cascade', { options: tree }), ['de'], 'option'],
  [field('cascade', { options: tree }), 'old', 'option-inactive'],
  [field('cascade', { options: tree }), ['eu', 5], 'option'],
  [field('cascade', { options: tree }), [['eu']], 'type'],
  [field('cascade'), 'Mars', 'option'],
  [field('json'), 'x'.repeat(20_000), 'maxLength'],
  [field('formula'), 5, 'field-type'],
  [field('rollup'), 5, 'field-type'],
  [field('constructor'), 5, 'field-type'],
]

function named(given: unknown): string {
  const text = JSON.stringify(given) ?? 'undefined'
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

describe('a custom value', () => {
  for (const [rules, given, shown, rows] of taken) {
    test(`of a ${rules.fieldType} field reads ${named(given)} as ${named(shown)}`, () => {
      const value = readFieldValue(rules, given)
      assert.ok(!isValueFault(value), JSON.stringify(value))
      assert.deepEqual(value.shown, shown)
      if (rows) assert.deepEqual(value.rows, rows)
    })
  }

  for (const [rules, given, code] of refused) {
    test(`of a ${rules.fieldType} field cannot be ${named(given)}`, () => {
      const value = readFieldValue(rules, given)
      assert.ok(isValueFault(value), JSON.stringify(value))
      assert.equal(value.code, code)
      assert.notEqual(value.message, '')
    })
  }

  test('of a user field is a reference to the user', () => {
    const value = readFieldValue(field('user'), someone)
    assert.ok(!isValueFault(value))
    assert.deepEqual(value.references, [{ entity: 'User', id: someone.toLowerCase() }])
  })

  test('is read unchanged when a reply is sent back', () => {
    for (const [rules, given] of taken) {
      const first = readFieldValue(rules, given)
      assert.ok(!isValueFault(first))
      assert.deepEqual(readFieldValue(rules, first.shown), first)
    }
  })

  test('is matched in linear time, also by a pattern that would block a backtracking engine', () => {
    const value = readFieldValue(field('text', { pattern: '^(a+)+$' }), `${'a'.repeat(3999)}!`)
    assert.ok(isValueFault(value))
  })
})

describe('the default of a field', () => {
  const defaults: [type: string, text: string, shown: unknown][] = [
    ['text', 'red', 'red'],
    ['number', '2.5', 2.5],
    ['boolean', 'true', true],
    ['date', '2026-03-31', '2026-03-31'],
    ['time', '2d 3h', 1140],
    ['select', 'low', 'low'],
    ['multiSelect', 'Low', ['lo']],
    ['multiSelect', '["lo","hi"]', ['lo', 'hi']],
    ['user', someone, someone.toLowerCase()],
    ['money', '{"amount":5,"currency":"EUR"}', { amount: 5, currency: 'EUR' }],
    ['json', '{"a":1}', { a: 1 }],
    ['json', 'plain', 'plain'],
    ['cascade', 'lo', ['lo']],
  ]
  for (const [type, defaultValue, shown] of defaults) {
    test(`of the type ${type} is read from ${defaultValue}`, () => {
      assert.deepEqual(defaultOf({ ...field(type), defaultValue })?.shown, shown)
    })
  }

  test('is undefined if it is empty or no longer valid', () => {
    for (const [type, defaultValue] of [
      ['text', ''],
      ['number', 'five'],
      ['select', 'gone'],
      ['multiSelect', '[]'],
      ['time', 'soon'],
    ] as const) {
      assert.equal(defaultOf({ ...field(type), defaultValue }), undefined)
    }
  })
})
