import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestService } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { openDatabase } from '../../kernel/database.ts'
import { openOutbound } from '../../platform/outbound/outbound.ts'
import {
  cancel,
  type Engines,
  type EnginesOptions,
  enqueue,
  GroupFailure,
  type Listener,
  openEngines,
  PermanentFailure,
  Postponed,
  resumeGroup,
  type Task,
  TaskFailure,
} from './dispatch.ts'

const { ada, eve, database, databaseUrl } = await startTestService()
const outbound = openOutbound({})
after(() => outbound.close())

const open = new Set<Engines>()
afterEach(async () => {
  await Promise.all([...open].map(each => each.stop()))
  open.clear()
})

const lines: Record<string, unknown>[] = []

function run(options: Partial<EnginesOptions>) {
  const engines = openEngines({
    database,
    listeners: [],
    tasks: [],
    outbound,
    log: line => lines.push(line),
    pace: { poll: 50, ...options.pace },
    ...options,
  })
  open.add(engines)
  engines.start()
  return engines
}

const service = tenantCaller(ada.tenantId, ada.id)
const enqueueOurs = (...jobs: Parameters<typeof enqueue> extends [unknown, ...infer W] ? W : never) =>
  database.transaction(service, ctx => enqueue(ctx, ...jobs))
/** Jobs that the rooms enqueue by themselves are not awaited here. */
const ours = ['note', 'stumble', 'later', 'again', 'slow', 'flood', 'call']
const waiting = async () =>
  (
    await database.crossTenantSql<{
      count: number
    }>`select count(*)::int as count from queued_job where task = any(${ours}::text[])`
  )[0]?.count ?? 0

/** Enqueues a job of the task for every new item of a tenant, one lane per record. */
function everyItem(task: string, tenantIds = [ada.tenantId]): Listener {
  return {
    name: task,
    listens: async ctx => tenantIds.includes(ctx.caller.tenantId),
    jobs: async (_ctx, events) =>
      events
        .filter(event => event.entity === 'Item')
        .map(event => ({
          event,
          task,
          lane: `${task} ${event.recordId}`,
          payload: { kind: event.kind, title: event.changes.title?.to },
        })),
  }
}

test('only one read of the log runs at a time, however much is written meanwhile, and no event waits for the next poll', async () => {
  const seen = new Set<string>()
  let [now, most] = [0, 0]
  const slow: Listener = {
    name: 'slow',
    listens: async ctx => ctx.caller.tenantId === ada.tenantId,
    accepts: event => event.entity === 'Item',
    async jobs(_ctx, events) {
      most = Math.max(most, ++now)
      await sleep(60)
      now--
      for (const { entity, changes } of events) seen.add(`${entity} ${changes.title?.to}`)
      return []
    },
  }
  run({ listeners: [slow], pace: { poll: 3_600_000 } })
  const titles = Array.from({ length: 20 }, (_, i) => `Meanwhile ${i}`)
  for (const title of titles) {
    await ada.post('/item', { title, Time: [{ date: '2026-01-01', minutes: 5 }] })
    await sleep(15)
  }
  await until(() => seen.size >= titles.length)
  assert.equal(most, 1)
  assert.deepEqual([...seen].sort(), titles.map(title => `Item ${title}`).sort(), 'and its time entries cause none')
})

test('several processes dispatch each committed event once, in order for each record', async () => {
  const seen: string[] = []
  const task: Task = {
    name: 'note',
    retryDelays: [],
    async run({ payload }) {
      await sleep(Math.random() * 5)
      seen.push(String(payload.title))
    },
  }
  const other = openDatabase({ url: databaseUrl, poolSize: 4, queueSize: 100, statementTimeout: 600_000 })
  const options = { listeners: [everyItem('note')], tasks: [task] }
  const nodes = [run(options), run({ ...options, database: other })]
  const items = await Promise.all(['a', 'b', 'c'].map(name => ada.post('/item', { title: `${name}0` })))
  await eve.post('/item', { title: 'not theirs' })
  for (let step = 1; step <= 20; step++)
    await Promise.all(items.map((item, at) => ada.put(`/item/${item.id}`, { title: `${'abc'[at]}${step}` })))
  await until(() => seen.length >= 63)
  await sleep(100)
  for (const name of 'abc')
    assert.deepEqual(
      seen.filter(title => title.startsWith(name)),
      Array.from({ length: 21 }, (_, step) => `${name}${step}`),
    )
  assert.equal(seen.length, 63)
  await Promise.all(nodes.map(node => node.stop()))
  await other.close()
})

test('a rolled back event is never dispatched, and an event without a listener enqueues no job', async () => {
  const seen: unknown[] = []
  const engines = run({
    listeners: [everyItem('note')],
    tasks: [{ name: 'note', retryDelays: [], run: async ({ payload }) => void seen.push(payload.title) }],
  })
  await assert.rejects(
    database.transaction(service, async ctx => {
      await enqueue(ctx, { task: 'note', payload: { title: 'never' } })
      throw new Error('no')
    }),
  )
  await ada.post('/item', { title: 'ours' })
  await until(() => seen.length > 0)
  assert.deepEqual(seen, ['ours'])
  await engines.stop()
})

test('a failing job follows its retryDelays, delays only its own lane, and is given up at the end', async () => {
  const seen: string[] = []
  const given: unknown[] = []
  const task: Task = {
    name: 'stumble',
    retryDelays: [30, 30],
    async run({ payload: { name, fails }, attempt }) {
      seen.push(`${name}${attempt}`)
      if (fails === 'late' && seen.filter(each => each === 'e1').length === 1) throw new Postponed(60, 'not yet')
      if (fails === 'always') throw new Error('no')
      if (fails === 'hopeless') throw new PermanentFailure('gone')
    },
    onGiveUp: async ({ payload }) => void given.push(payload.name),
  }
  await enqueueOurs(
    { task: 'stumble', lane: 'one', payload: { name: 'a', fails: 'always' } },
    { task: 'stumble', lane: 'one', payload: { name: 'b' } },
    { task: 'stumble', lane: 'two', payload: { name: 'c' } },
    { task: 'stumble', lane: 'three', payload: { name: 'd', fails: 'hopeless' } },
    { task: 'stumble', lane: 'four', payload: { name: 'e', fails: 'late' } },
  )
  const engines = run({ tasks: [task] })
  await until(async () => (await waiting()) === 0)
  assert.deepEqual(
    seen.filter(each => 'ab'.includes(each[0] ?? '')),
    ['a1', 'a2', 'a3', 'b1'],
  )
  assert.ok(seen.indexOf('c1') < seen.indexOf('a2'))
  assert.deepEqual(seen.filter(each => 'de'.includes(each[0] ?? '')).sort(), ['d1', 'e1', 'e1'])
  assert.deepEqual(given.sort(), ['a', 'd'])
  await engines.stop()
})

test('one job waits under a key, the newest input replaces earlier ones, and the job can be cancelled', async () => {
  const seen: unknown[] = []
  const task: Task = { name: 'later', retryDelays: [], run: async ({ payload }) => void seen.push(payload.n) }
  const engines = run({ tasks: [task] })
  const inAnHour = new Date(Date.now() + 3_600_000)
  await enqueueOurs({ task: 'later', key: 'k', runAt: inAnHour, payload: { n: 1 } })
  await enqueueOurs({ task: 'later', key: 'k', runAt: inAnHour, payload: { n: 2 } })
  await enqueueOurs({ task: 'later', key: 'other', runAt: inAnHour, payload: { n: 3 } })
  await database.transaction(service, ctx => cancel(ctx, 'later', 'other'))
  assert.deepEqual(seen, [])
  await database.crossTenantSql`update queued_job set run_at = now() where task = 'later'`
  await until(async () => (await waiting()) === 0)
  assert.deepEqual(seen, [2])
  await engines.stop()
})

test('a job that is enqueued again while it runs is run once more', async () => {
  const seen: unknown[] = []
  const task: Task = {
    name: 'again',
    retryDelays: [],
    async run({ payload }) {
      seen.push(payload.n)
      if (payload.n === 1) await enqueueOurs({ task: 'again', key: 'k', payload: { n: 2 } })
      await sleep(50)
    },
  }
  const engines = run({ tasks: [task] })
  await enqueueOurs({ task: 'again', key: 'k', payload: { n: 1 } })
  await until(async () => (await waiting()) === 0)
  assert.deepEqual(seen, [1, 2])
  await engines.stop()
})

test('the jobs of a dead worker run elsewhere when its lease expires; those of a stopped one, at once', async () => {
  const seen: string[] = []
  const slow = (who: string, ms: number): Task => ({
    name: 'slow',
    retryDelays: [],
    async run({ signal }) {
      seen.push(`${who} begins`)
      await sleep(ms, undefined, { signal })
      seen.push(`${who} ends`)
    },
  })
  const stopped = run({ tasks: [slow('first', 60_000)] })
  await enqueueOurs({ task: 'slow', payload: {} })
  await until(() => seen.length === 1)
  await stopped.stop()
  const [row] = await database.crossTenantSql<{
    attempts: number
  }>`select attempts from queued_job where task = 'slow' and run_at <= now() and worker is null`
  assert.equal(row?.attempts, 0)
  // The state that a killed worker leaves: claimed, and nobody works on it.
  await database.crossTenantSql`update queued_job set worker = ${ada.id}, run_at = now() + interval '1 hour', attempts = 1 where task = 'slow'`
  const looked: unknown[] = []
  const second = run({
    tasks: [slow('second', 1), { name: 'note', retryDelays: [], run: async () => void looked.push(1) }],
  })
  await enqueueOurs({ task: 'note', payload: {} })
  await until(() => looked.length > 0)
  assert.deepEqual(seen, ['first begins'])
  await database.crossTenantSql`update queued_job set run_at = now() where task = 'slow'`
  await until(() => seen.includes('second ends'))
  await second.stop()
})

test('a worker whose renewals fail is aborted, and another one runs the job', async () => {
  const seen: string[] = []
  const deaf = {
    ...database,
    crossTenantSql: ((strings: TemplateStringsArray, ...values: unknown[]) =>
      /^\s*update queued_job j set run_at/.test(strings.join(''))
        ? Promise.reject(new Error('no line'))
        : database.crossTenantSql(strings, ...values)) as typeof database.crossTenantSql,
  }
  const slow = (who: string): Task => ({
    name: 'slow',
    retryDelays: [],
    async run({ signal }) {
      seen.push(`${who} begins`)
      if (who === 'second') return
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      seen.push(`${who} is told to end`)
      signal.throwIfAborted()
    },
  })
  const first = run({ database: deaf, tasks: [slow('first')], pace: { poll: 50, lease: 600 } })
  await enqueueOurs({ task: 'slow', payload: {} })
  await until(() => seen.includes('first is told to end'))
  await first.stop()
  const second = run({ tasks: [slow('second')] })
  await until(() => seen.includes('second begins'))
  assert.deepEqual(seen, ['first begins', 'first is told to end', 'second begins'])
  await second.stop()
})

test('one tenant’s flood does not delay another’s job', async () => {
  let reach = () => {}
  const reached = new Promise<void>(resolve => {
    reach = resolve
  })
  let begun = 0
  const task: Task = {
    name: 'flood',
    retryDelays: [],
    async run({ tenantId }) {
      begun++
      if (tenantId === eve.tenantId) reach()
      // No job of the flood ends before the other tenant's job was reached.
      await reached
    },
  }
  await enqueueOurs(...(Array.from({ length: 600 }, (_, n) => ({ task: 'flood', payload: { n } })) as [never]))
  const engines = run({ tasks: [task], pace: { poll: 50, atOnce: 8, perTenant: 4 } })
  await until(() => begun === 4)
  await database.transaction(tenantCaller(eve.tenantId, eve.id), ctx =>
    enqueue(ctx, { task: 'flood', payload: { n: 0 } }),
  )
  await reached
  assert.equal(begun, 5)
  await database.crossTenantSql`delete from queued_job where task = 'flood'`
  await engines.stop()
})

test('a failing group pauses as a whole, also after a restart, is then attempted one job at a time, and delays no other', async () => {
  const seen: string[] = []
  let [down, now, most] = [true, 0, 0]
  const task: Task = {
    name: 'call',
    retryDelays: [0, 0],
    async run({ payload }) {
      seen.push(String(payload.to))
      if (payload.to !== 'dead') return
      if (down) throw new GroupFailure(new TaskFailure('no answer'), 3_600_000)
      most = Math.max(most, ++now)
      await sleep(20)
      now--
    },
  }
  const call = (to: string) => ({ task: 'call', group: `to ${to}`, payload: { to } })
  const calls = (to: string) => seen.filter(each => each === to).length
  const first = run({ tasks: [task] })
  await enqueueOurs(call('dead'), ...Array.from({ length: 9 }, () => call('dead')))
  await until(async () => (await paused()) === 1)
  await enqueueOurs(call('live'), call('live'))
  await until(() => calls('live') === 2)
  await first.stop()
  const second = run({ tasks: [task] })
  await enqueueOurs(call('live'))
  await until(async () => calls('live') === 3 && (await waiting()) === 10)
  assert.equal(calls('dead'), 1)
  down = false
  await database.crossTenantSql`update failing_group set resume_at = now()`
  await until(async () => (await waiting()) === 0)
  assert.deepEqual([calls('dead'), most], [11, 1])
  await database.transaction(service, ctx => resumeGroup(ctx, 'to dead'))
  assert.equal(await paused(), 0)
  await second.stop()
})

test('a failing group is forgotten when its last job is given up', async () => {
  let attempts = 0
  const task: Task = {
    name: 'call',
    retryDelays: [0],
    async run() {
      attempts++
      throw new GroupFailure(new TaskFailure('no answer'), 0)
    },
  }
  const engines = run({ tasks: [task] })
  await enqueueOurs({ task: 'call', group: 'to nobody', payload: {} })
  await until(async () => attempts === 2 && (await waiting()) === 0)
  assert.equal(await paused(), 0)
  await engines.stop()
})

const paused = async () =>
  (await database.crossTenantSql<{ count: number }>`select count(*)::int as count from failing_group`)[0]?.count ?? 0

test('a suspended tenant’s jobs wait', async () => {
  const seen: unknown[] = []
  await database.transaction(service, ctx => ctx.sql`update tenant set status = 1 where tenant_id = ${ada.tenantId}`)
  await enqueueOurs({ task: 'note', payload: {} })
  const engines = run({ tasks: [{ name: 'note', retryDelays: [], run: async () => void seen.push(1) }] })
  await sleep(200)
  assert.equal(seen.length, 0)
  await database.transaction(service, ctx => ctx.sql`update tenant set status = 0 where tenant_id = ${ada.tenantId}`)
  await until(() => seen.length === 1)
  await engines.stop()
})

test('a failing listener does not delay the others, and is asked again', async () => {
  const seen: unknown[] = []
  let stumbles = 1
  const listener = everyItem('note')
  const engines = run({
    listeners: [
      {
        ...listener,
        async jobs(ctx, events) {
          if (stumbles-- > 0) throw new Error('over my own feet')
          return await listener.jobs(ctx, events)
        },
      },
    ],
    tasks: [{ name: 'note', retryDelays: [], run: async ({ payload }) => void seen.push(payload.title) }],
  })
  await ada.post('/item', { title: 'stumbled' })
  await until(() => seen.length === 1)
  assert.deepEqual(seen, ['stumbled'])
  await engines.stop()
})
