import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../answer.ts'
import { findFaults } from './conformance.ts'

const problem = {
  type: 'http://gantry.localhost/problems/not-found',
  title: 'Not found',
  status: 404,
  detail: 'there is no such record',
  instance: '/api/label/1',
  code: 'not-found',
  traceId: '1',
  Fields: [],
}
const json = { 'content-type': 'application/json; charset=utf-8' }
const asProblem = { 'content-type': 'application/problem+json; charset=utf-8' }
const changed = { ...json, 'change-set': '01890000-0000-7000-8000-000000000000' }

function judge(request: string, status: number, headers: Record<string, string>, body?: unknown): string[] {
  const [method = '', path = '', prefer = ''] = request.split(' ')
  const answer: Answer = { status, headers: new Headers(headers), body }
  return findFaults({ method, url: `http://gantry.localhost/api${path}`, sent: { prefer }, answer })
}

test('an answer that contradicts the document is found', () => {
  const wrong: Record<string, string[]> = {
    'a status that is not listed': judge('GET /label', 202, json, []),
    'an error of the server': judge('GET /label', 500, asProblem, { ...problem, status: 500 }),
    'a body of another shape': judge('GET /label', 200, json, {}),
    'a record without its properties': judge('GET /label', 200, json, [{ entity: 'Label' }]),
    'a body that nobody described': judge('DELETE /label/1', 204, changed, {}),
    'a missing body': judge('GET /label', 200, json),
    'another media type': judge('GET /label', 200, { 'content-type': 'text/html' }, '<p>'),
    'a missing header': judge('DELETE /label/1', 204, {}),
    'a malformed header': judge('DELETE /label/1', 204, { 'change-set': 'x' }),
    'a header that nobody described': judge('GET /label', 200, { ...json, 'x-other': '1' }, []),
    'a number that is none': judge('GET /label', 200, { ...json, 'x-total-count': 'many' }, []),
    'a refusal as a page': judge('GET /label/1', 404, { 'content-type': 'text/html' }, '<p>'),
    'a refusal without its members': judge('GET /label/1', 404, asProblem, { status: 404 }),
    '401 without a challenge': judge('GET /label', 401, asProblem, { ...problem, status: 401 }),
    '503 without a time to wait': judge('GET /label', 503, asProblem, { ...problem, status: 503 }),
    'a dry run that answers like a write': judge('DELETE /label/1?dryRun=true', 200, changed, null),
    'a write that answers like a dry run': judge('PUT /label/1', 200, changed, { would: null, warnings: [] }),
    'a method that nobody described': judge('POST /label/1', 200, json, {}),
    'a minimal answer with a body': judge(
      'PUT /label/1 return=minimal',
      200,
      { ...changed, 'preference-applied': 'return=minimal' },
      {},
    ),
  }
  assert.deepEqual(
    Object.entries(wrong).filter(([, faults]) => faults.length === 0),
    [],
  )
})

test('an answer as the document describes it passes', () => {
  assert.deepEqual(judge('GET /label', 200, json, []), [])
  assert.deepEqual(judge('GET /label?fields=name', 200, json, [{ name: 'a' }]), [])
  assert.deepEqual(judge('HEAD /label', 200, json), [])
  assert.deepEqual(judge('GET /label/1', 304, { etag: '"v1"' }), [])
  assert.deepEqual(judge('GET /label/1', 404, asProblem, problem), [])
  assert.deepEqual(judge('DELETE /label/1', 204, changed), [])
  assert.deepEqual(judge('DELETE /label/1?dryRun=true', 200, changed, { would: null, warnings: [] }), [])
  assert.deepEqual(
    judge('PUT /label/1 return=minimal', 200, { ...changed, 'preference-applied': 'return=minimal' }),
    [],
  )
  assert.deepEqual(judge('GET /mail/unsubscribe/x', 404, { 'content-type': 'text/html' }, '<p>'), [])
})
