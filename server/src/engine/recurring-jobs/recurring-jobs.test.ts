import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner, freshDatabase } from '../../../test/support/database/database.ts'
import { until } from '../../../test/support/until.ts'
import { type Database, openDatabase } from '../../kernel/database.ts'
import { openRecurringJobs, type RecurringJob, type RecurringJobsOptions } from './recurring-jobs.ts'

const url = await freshDatabase()
const database = openDatabase({ url, poolSize: 32, queueSize: 50, statementTimeout: 600_000 })

after(() => database.close())

const quick = { poll: 50, grace: 1000 }
// For tests in which a lease expires. In all others no lease expires, however slow the machine is.
const brief = { lease: 600 }

/** A node of the installation; `lines` holds what it logged. */
function node(jobs: RecurringJob[], more: Partial<RecurringJobsOptions> = {}) {
  const lines: Record<string, unknown>[] = []
  const opened = openRecurringJobs({ database, jobs, log: line => lines.push(line), ...quick, ...more })
  opened.start()
  return { ...opened, lines }
}

interface Row {
  next_run: Date
  last_run: Date | null
  leased_until: Date | null
  lease: string | null
  last_error: string | null
}

async function rowOf(name: string): Promise<Row> {
  const [row] = await database.crossTenantSql<Row>`select * from job where name = ${name}`
  assert.ok(row)
  return row
}

/** Waits until the lease of a run has been renewed. */
async function renewed(name: string): Promise<void> {
  const { leased_until: first } = await rowOf(name)
  await until(async () => Number((await rowOf(name)).leased_until) > Number(first))
}

// Each test has its own jobs and spends most of its time waiting, so the tests run concurrently.
describe('recurring jobs', { concurrency: true }, () => {
  test('four nodes perform each due run once, and never two runs at the same time', async () => {
    let [starts, inside, most] = [0, 0, 0]
    const job: RecurringJob = {
      name: 'shared',
      every: 200,
      async run() {
        starts++
        most = Math.max(most, ++inside)
        await sleep(30)
        inside--
      },
    }
    const began = performance.now()
    const nodes = [node([job]), node([job]), node([job]), node([job])]
    await until(() => starts >= 4)
    await Promise.all(nodes.map(each => each.stop()))
    const possible = 1 + (performance.now() - began) / 120
    assert.equal(most, 1)
    assert.ok(starts <= possible, `${starts} runs`)
    assert.deepEqual(
      nodes.flatMap(each => each.lines),
      [],
    )
  })

  test('runs missed during downtime are made up for by one run', async () => {
    let runs = 0
    const job: RecurringJob = { name: 'missed', every: 60_000, run: async () => void runs++ }
    await database.crossTenantSql`insert into job (name, next_run) values ('missed', now() - interval '3 days')`
    const one = node([job])
    await until(() => runs > 0)
    await sleep(300)
    await one.stop()
    assert.equal(runs, 1)
    const { next_run, last_run } = await rowOf('missed')
    const ahead = next_run.getTime() - (last_run?.getTime() ?? 0)
    assert.ok(ahead > 30_000 && ahead < 67_000, `next run ${ahead} ms after the last`)
  })

  test('a run that lies too far ahead for its interval is due: the clock or the interval has changed', async () => {
    let runs = 0
    await database.crossTenantSql`insert into job (name, next_run) values ('far', now() + interval '1 day'), ('near', now() + interval '50 seconds')`
    const run = async () => void runs++
    const one = node([
      { name: 'far', every: 60_000, run },
      { name: 'near', every: 60_000, run },
    ])
    await until(() => runs > 0)
    await sleep(200)
    await one.stop()
    assert.equal(runs, 1)
  })

  test('a test can pass its own clock', async () => {
    let runs = 0
    let now = new Date('2030-01-01T00:00:00Z')
    const one = node([{ name: 'clocked', every: 3_600_000, run: async () => void runs++ }], { now: () => now })
    now = new Date('2030-01-01T00:00:01Z')
    await until(() => runs === 1)
    await sleep(150)
    assert.equal(runs, 1)
    now = new Date('2030-01-01T01:10:00Z')
    await until(() => runs === 2)
    await one.stop()
  })

  test('a long run keeps its lease, and nobody else starts it', async () => {
    let starts = 0
    const job: RecurringJob = {
      name: 'long',
      every: 10_000,
      async run() {
        starts++
        await renewed('long')
      },
    }
    const nodes = [node([job], { lease: 3000 }), node([job], { lease: 3000 })]
    await until(async () => (await rowOf('long').catch(() => undefined))?.last_run != null)
    await Promise.all(nodes.map(each => each.stop()))
    assert.equal(starts, 1)
    assert.equal((await rowOf('long')).last_error, null)
  })

  test('a node that lost its lease is aborted, and cannot mark the run as done', async () => {
    let letGo = () => {}
    const stuck = new Promise<void>(resolve => {
      letGo = resolve
    })
    let toldToEnd = false
    // This node still claims jobs, but its renewals fail, as after a long pause or a broken connection.
    const deaf = {
      crossTenantSql: ((strings: TemplateStringsArray, ...values: unknown[]) =>
        /set leased_until/.test(strings.join(''))
          ? Promise.reject(new Error('no line'))
          : database.crossTenantSql(strings, ...values)) as Database['crossTenantSql'],
    }
    const lost = node(
      [
        {
          name: 'fenced',
          every: 60_000,
          async run(signal) {
            signal.addEventListener('abort', () => {
              toldToEnd = true
            })
            await stuck
          },
        },
      ],
      { database: deaf, ...brief },
    )
    await until(async () => (await rowOf('fenced').catch(() => undefined))?.lease != null)
    const first = (await rowOf('fenced')).lease

    let second = 0
    const run = (signal: AbortSignal) => {
      second++
      return sleep(800, undefined, { signal })
    }
    const other = node([{ name: 'fenced', every: 60_000, run }])
    await until(() => second === 1)
    assert.ok(toldToEnd, 'it is told before another node begins')
    const taken = await rowOf('fenced')
    assert.notEqual(taken.lease, first)
    letGo()
    await until(() => lost.lines.length > 0)
    assert.equal((await rowOf('fenced')).lease, taken.lease)
    assert.equal((await rowOf('fenced')).last_run, null)
    await until(async () => (await rowOf('fenced')).last_run !== null)
    await Promise.all([lost.stop(), other.stop()])
    assert.equal(second, 1)
  })

  test('an outdated token changes nothing: the database checks it when a run finishes', async () => {
    let finished = false
    const one = node([
      {
        name: 'late',
        every: 60_000,
        async run() {
          // Another node holds the row now, and this one has not noticed yet.
          await database.crossTenantSql`update job set lease = gen_random_uuid(), leased_until = now() + interval '1 hour' where name = 'late'`
          finished = true
        },
      },
    ])
    await until(() => finished)
    await sleep(100)
    await one.stop()
    const { lease, last_run } = await rowOf('late')
    assert.ok(lease)
    assert.equal(last_run, null)
  })

  test('the run of a killed node is free again when its lease has expired', async t => {
    const script = `import { openRecurringJobs } from ${JSON.stringify(new URL('./recurring-jobs.ts', import.meta.url).href)}
    import { openDatabase } from ${JSON.stringify(new URL('../../kernel/database.ts', import.meta.url).href)}
    const database = openDatabase({ url: process.env.URL, poolSize: 4, queueSize: 10, statementTimeout: 600_000 })
    const run = () => { console.log('running'); return new Promise(() => setInterval(() => {}, 1000)) }
    openRecurringJobs({ database, jobs: [{ name: 'killed', every: 60000, run }], log: console.error, lease: 3000, poll: 50 }).start()`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await renewed('killed') // the node is alive, so it keeps its lease
    let runs = 0
    const other = node([{ name: 'killed', every: 60_000, run: async () => void runs++ }])
    await sleep(200)
    assert.equal(runs, 0)
    child.kill('SIGKILL')
    await until(() => runs === 1)
    await other.stop()
  })

  test('a failed run is logged, recorded and repeated', async () => {
    let runs = 0
    const one = node([
      {
        name: 'failing',
        every: 200,
        async run() {
          if (++runs === 1) throw new Error('the disk is full')
        },
      },
    ])
    let error: string | null | undefined
    await until(async () => {
      error = (await rowOf('failing').catch(() => undefined))?.last_error
      return error != null
    })
    assert.match(error ?? '', /the disk is full/)
    assert.equal(one.lines[0]?.job, 'failing')
    await until(() => runs > 1)
    await until(async () => (await rowOf('failing')).last_error === null)
    await one.stop()
  })

  test('stop lets a run end; an interrupted one is returned and due at once', async () => {
    let ended = false
    const kind = node([
      {
        name: 'kind',
        every: 60_000,
        async run() {
          await sleep(300)
          ended = true
        },
      },
    ])
    const long = node([{ name: 'cut', every: 60_000, run: signal => sleep(60_000, undefined, { signal }) }])
    const isLeased = async (name: string) => (await rowOf(name).catch(() => undefined))?.lease != null
    await until(async () => (await isLeased('kind')) && (await isLeased('cut')))
    await Promise.all([kind.stop(), long.stop()])
    assert.ok(ended)
    const [done, cut] = [await rowOf('kind'), await rowOf('cut')]
    assert.ok(done.last_run && done.lease === null && done.next_run > new Date())
    assert.ok(cut.lease === null && cut.leased_until === null && cut.last_run === null && cut.next_run <= new Date())
    assert.deepEqual(long.lines, [])
  })

  test('stop waits for a limited time only', async () => {
    const one = node([{ name: 'deaf', every: 60_000, run: () => new Promise(() => {}) }], { grace: 200 })
    await until(async () => (await rowOf('deaf').catch(() => undefined))?.lease != null)
    await one.stop()
  })

  test('a lease that expired before the claim was answered ends the run at once, without a log line', async () => {
    const murmurs: string[] = []
    const hear = ({ name }: Error) => murmurs.push(name)
    process.on('warning', hear)
    const slow = {
      crossTenantSql: (async (strings: TemplateStringsArray, ...values: unknown[]) => {
        const answer = await database.crossTenantSql(strings, ...values)
        await sleep(120)
        return answer
      }) as Database['crossTenantSql'],
    }
    let told = 0
    const run = (signal: AbortSignal) =>
      new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(new Error(String(++told)))))
    const one = node([{ name: 'overdue', every: 60_000, run }], { database: slow, lease: 100 })
    await until(() => told > 0)
    await one.stop()
    process.off('warning', hear)
    assert.equal(murmurs.includes('TimeoutNegativeWarning'), false)
  })

  test('an unavailable database is waited for, with few queries', async () => {
    let questions = 0
    let away = true
    const flaky = {
      crossTenantSql: ((strings: TemplateStringsArray, ...values: unknown[]) => {
        questions++
        return away ? Promise.reject(new Error('away')) : database.crossTenantSql(strings, ...values)
      }) as Database['crossTenantSql'],
    }
    let runs = 0
    const one = node([{ name: 'patient', every: 60_000, run: async () => void runs++ }], { database: flaky })
    const began = performance.now()
    await until(() => questions >= 4)
    const most = 2 + (performance.now() - began) / 30
    assert.ok(questions <= most, `${questions} questions`)
    away = false
    await until(() => runs === 1)
    await one.stop()
    assert.deepEqual(await asOwner(url, undefined, `select last_error from job where name = 'patient'`), [
      { last_error: null },
    ])
  })
})
