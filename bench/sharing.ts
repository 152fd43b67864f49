import pg from 'pg'
import { latencies, type Question } from './growth/measure.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { createGuest, createMembers, spreadItems } from './sharing/seed.ts'
import { measureStreams } from './sharing/streams.ts'
import { measureUndo } from './sharing/undo.ts'
import { residentOf } from './speed/processes.ts'
import { seed } from './speed/seed.ts'

// `npm run bench -- --sharing`: measures a tenant with many users. A user with 200 grants on some of 1,000 containers sends
// requests in turn with a super admin; a change of 1,000 items is undone; a thousand event streams are open during 200
// writes a second.

const print = (line: string) => process.stdout.write(`${line}\n`)
const service = await startService({ dataDir: temporaryDirectory(), port: await freePort() })
const adminKey = firstKey(service)
const { tenantId, items } = await seed(service.databaseUrl(), service.base, adminKey)
const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()
const containerIds = await spreadItems(owner, tenantId, 1000)
const guestKey = await createGuest(service.databaseUrl(), owner, tenantId, containerIds)
print(`${items} items in ${containerIds.length} containers\n`)

const question = (title: string, path: string): Question => ({
  title,
  repetitions: 60,
  request: () => ({ method: 'GET', path }),
})
print('a user with 200 grants, compared with a super admin (p50 ms)')
for (const asked of [
  question('list, a page of 50', '/item?limit=50&sort=-id'),
  question('list of open items, by last change', '/item?limit=50&sort=-updated&status=Open'),
  question('count', '/item?limit=1&count=exact'),
  question('search for a frequent word', '/search?q=printer'),
  question('search for a rare word', '/search?q=167%20fire'),
]) {
  const [admin, guest] = await latencies(service.base, [
    { key: adminKey, asked },
    { key: guestKey, asked },
  ])
  if (admin && guest)
    print(
      `  ${asked.title.padEnd(40)} ${guest.p50.toFixed(1)}, super admin ${admin.p50.toFixed(1)}: ${(admin.p50 / guest.p50).toFixed(2)}`,
    )
}

const { change, undo } = await measureUndo(service.base, adminKey, 1000)
print(
  `\na change of 1,000 items ${change.toFixed(0)} ms, its undo ${undo.toFixed(0)} ms: × ${(undo / change).toFixed(2)}`,
)

const memory = () => residentOf(service.process.pid ?? 0).reduce((sum, each) => sum + each, 0)
const before = memory()
const members = await createMembers(service.databaseUrl(), tenantId, 100)
const streams = await measureStreams(service, adminKey, members, { streams: 1000, perSecond: 200, seconds: 15 })
print(
  `\n1,000 streams, ${streams.written} writes in 15 s: delay p50 ${streams.p50.toFixed(0)} ms, p99 ${streams.p99.toFixed(0)} ms; ${streams.delivered} of ${streams.expected} events arrived`,
)
print(`resident memory ${before.toFixed(0)} MB before, ${streams.resident.toFixed(0)} MB with the streams open`)
await owner.end()
await service.stop()
process.exit(streams.delivered === streams.expected ? 0 : 1)
