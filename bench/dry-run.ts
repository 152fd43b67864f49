import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { action } from '../server/src/containers/action/action.ts'
import { operator } from '../server/src/language/conditions/operators/operators.ts'
import { triggerEvent } from '../server/src/notify/trigger-event.ts'
import { openDataDirectory } from '../server/src/platform/embedded-postgres/data-directory/data-directory.ts'
import { livePostmaster } from '../server/src/platform/embedded-postgres/process/postmaster.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { watchCpu } from './speed/processes.ts'

// `npm run bench -- --dry-run`: measures the dry run of a rule over history, for several shares of matching events. Compare the
// CPU times: other load on the machine affects them little.
//   --items 4000   how many items there are; each is created and changed once, which makes two events
//   --profile DIR  where the service writes profiles of its processes

const { values: flags } = parseArgs({
  options: {
    'dry-run': { type: 'boolean' },
    items: { type: 'string', default: '4000' },
    profile: { type: 'string', default: '' },
  },
})
const print = (line: string) => process.stdout.write(`${line}\n`)
const count = Number(flags.items)
const page = 500

const dataDir = temporaryDirectory()
const service = await startService({
  dataDir,
  port: await freePort(),
  profile: flags.profile,
})
const postmaster = livePostmaster(openDataDirectory(dataDir).cluster) ?? 0
const key = firstKey(service)
const since = new Date(Date.now() - 3_600_000).toISOString()
const containerId = (await ask<{ id: string }>('POST', '/container', { name: 'Home' })).id

const each = Array.from({ length: count }, (_, n) => ({
  externalId: `item ${n}`,
  title: `Kind ${n % 10}`,
  containerId,
}))
for (const change of [{}, { priority: 2 }])
  for (let made = 0; made < count; made += page)
    await ask(
      'POST',
      '/item/bulk',
      each.slice(made, made + page).map(item => ({ ...item, ...change })),
    )

const set = { actionType: action.setField, field: 'severity', value: 2 }
const three = [
  set,
  { actionType: action.addNote, value: 'Look at {{ item.title }}' },
  { actionType: action.notify, value: { to: ['@author'], text: '{{ item.key }}' } },
]
print(
  '| matching events | actions | a saved rule that listens | events/s | CPU ms/event: Node | PostgreSQL | both per match |',
)
print('|---|---|---|---|---|---|---|')
await tried(3, [set])
const idle = await tried(0, [set])
for (const kinds of [2, 10]) await row(kinds, 'sets a field', [set])
await row(2, 'field, note, notice', three)
await ask('POST', '/rule', {
  name: 'Follows',
  active: true,
  triggerEvent: triggerEvent['item.updated'],
  conditionGroup: [{ condition: [{ leftSide: 'severity', operator: operator.changed, rightSide: '' }] }],
  actionValue: [{ actionType: action.setField, field: 'points', value: 5 }],
})
await row(2, 'sets a field', [set], true)
await service.stop()

async function row(kinds: number, what: string, actions: object[], listens = false): Promise<void> {
  const { events, matched, seconds, node, database } = await tried(kinds, actions)
  const perMatch = (node + database - ((idle.node + idle.database) * events) / idle.events) / matched
  const figures = [seconds && events / seconds, node / events, database / events, perMatch]
  print(
    `| ${((100 * matched) / events).toFixed(0)} % | ${what} | ${listens ? 'yes' : 'no'} | ${figures.map(one => one.toFixed(one > 100 ? 0 : 2)).join(' | ')} |`,
  )
}

interface Job {
  id: string
  state: number
  events: number
  matched: number
}

/** Tries a rule on all new items, of which so many tenths match. */
async function tried(kinds: number, actionValue: object[]) {
  const rule = {
    name: 'Tried',
    triggerEvent: triggerEvent['item.created'],
    conditionGroup: Array.from({ length: Math.max(kinds, 1) }, (_, n) => ({
      condition: [{ leftSide: 'title', operator: operator.equals, rightSide: kinds === 0 ? 'None' : `Kind ${n}` }],
    })),
    actionValue,
  }
  const [node, database] = [watchCpu(service.process.pid ?? 0), watchCpu(postmaster)]
  const began = performance.now()
  let job = await ask<Job>('POST', '/rule/dry-run/job', { rule, since })
  while (job.state === 0) {
    await sleep(50)
    job = await ask<Job>('GET', `/rule/dry-run/job/${job.id}`)
  }
  return { ...job, seconds: (performance.now() - began) / 1000, node: node(), database: database() }
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.base}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`)
  return JSON.parse(await response.text())
}
