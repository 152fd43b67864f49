import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonMembers } from './json-members.ts'

test('the members of an object keep the text of their values', () => {
  for (const [text, members] of [
    ['{}', []],
    ['{"a": 1}', [['a', '1']]],
    [
      '{"a": 1.50, "b": -2e10, "c": null}',
      [
        ['a', '1.50'],
        ['b', '-2e10'],
        ['c', 'null'],
      ],
    ],
    [
      '{"a": "x, }", "b": true}',
      [
        ['a', '"x, }"'],
        ['b', 'true'],
      ],
    ],
    [
      '{"a": "\\"", "b": "\\\\", "c": "\\\\\\""}',
      [
        ['a', '"\\""'],
        ['b', '"\\\\"'],
        ['c', '"\\\\\\""'],
      ],
    ],
    [
      '{"a": [1, {"b": "]}"}, []], "c": {}}',
      [
        ['a', '[1, {"b": "]}"}, []]'],
        ['c', '{}'],
      ],
    ],
    ['{"\\"k\\"": {"x": [2, 3]}}', [['"k"', '{"x": [2, 3]}']]],
  ] as const)
    assert.deepEqual(jsonMembers(text), members, text)
})
