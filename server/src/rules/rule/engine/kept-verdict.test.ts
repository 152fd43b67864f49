import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../../../language/conditions/operators/operators.ts'
import { keepsVerdict } from './kept-verdict.ts'

const reading = (leftSide: string, rightSide = 'x') => ({
  conditionGroup: [{ condition: [{ leftSide, operator: operator.equals, rightSide }] }],
})

test('a rule keeps its verdict only if its conditions read other plain properties than those that changed', () => {
  const cases: [ReturnType<typeof reading>, string[] | undefined, boolean][] = [
    [reading('title'), ['priority', 'updated', 'version'], true],
    [reading('Priority'), ['priority', 'updated', 'version'], false],
    [reading('updated'), ['priority', 'updated', 'version'], false],
    [reading('title'), ['priority', 'status'], false],
    [reading('title'), ['priority', 'containerId'], false],
    [reading('title'), ['priority', 'Field'], false],
    [reading('title'), undefined, false],
    [reading('parent.priority'), ['priority'], false],
    [reading('field.score'), ['priority'], false],
    [reading('title', '@today'), ['priority'], false],
  ]
  for (const [rule, changed, kept] of cases)
    assert.equal(keepsVerdict(rule, changed && new Set(changed)), kept, JSON.stringify([rule, changed]))
})
