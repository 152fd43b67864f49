import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from '@gantry/sdk'
import { type Message, threadOf } from './thread.ts'

const at = (minute: number) => `2026-11-16T10:0${minute}:00.000Z`
const message = (minute: number) => ({ id: `m${minute}`, created: at(minute) }) as Message
const event = (minute: number, changes: Record<string, unknown>, ruleId?: string) =>
  ({
    id: `e${minute}`,
    at: at(minute),
    type: 'item.updated',
    actor: { id: 'ana', kind: 'user', ...(ruleId ? { ruleId } : {}) },
    changeSetId: `c${minute}`,
    changes,
  }) as unknown as Event

const shapeOf = (messages: Message[], events: Event[]) =>
  threadOf(messages, events).map(({ kind, id }) => `${kind} ${id}`)

test('messages and changes are told in the order of time', () => {
  const events = [event(2, { status: { from: 'To do', to: 'Done' } })]
  assert.deepEqual(shapeOf([message(3), message(1)], events), ['message m1', 'change e2', 'message m3'])
})

test('three changes between two messages are folded, two are not', () => {
  const change = { priority: { from: 1, to: 2 } }
  const events = [event(1, change), event(2, change), event(3, change), event(5, change), event(6, change)]
  assert.deepEqual(shapeOf([message(4)], events), ['folded e1', 'message m4', 'change e5', 'change e6'])
})

test('what a rule did is never folded', () => {
  const change = { priority: { from: 1, to: 2 } }
  const events = [event(1, change), event(2, change, 'rule'), event(3, change)]
  assert.deepEqual(shapeOf([], events), ['change e1', 'change e2', 'change e3'])
})

test('properties that follow from others are not told', () => {
  assert.deepEqual(shapeOf([], [event(1, { rank: { from: 'a', to: 'b' } })]), [])
  const [entry] = threadOf([], [event(1, { statusCategory: { from: 1, to: 2 }, status: { from: 'A', to: 'B' } })])
  assert.deepEqual(entry?.kind === 'change' && entry.change.properties, [{ property: 'status', from: 'A', to: 'B' }])
})

test('a clock that somebody paused is told with the reason', () => {
  const paused = { ...event(1, { verb: { to: 'pause' }, reason: { to: 'No part' } }), type: 'clock.ordered' }
  const [entry] = threadOf([], [paused])
  assert.deepEqual(entry?.kind === 'change' && entry.change.clock, { verb: 'pause', reason: 'No part' })
})
