import pg from 'pg'
import { type Asked, latencies } from './growth/measure.ts'
import { firstKey, freePort, startService, temporaryDirectory } from './service.ts'
import { makeGuest, makeMembers, spread } from './sharing/seed.ts'
import { followAndWrite } from './sharing/streams.ts'
import { takeBack } from './sharing/undo.ts'
import { residentOf } from './speed/processes.ts'
import { seed } from './speed/seed.ts'

// `npm run bench -- --sharing`: what it costs that many people share one tenant. Somebody who holds 200 grants on some of
// 1,000 containers asks in turn with a super admin; a change of 1,000 items is taken back; a thousand follow the events
// while 200 writes a second go on.

const say = (line: string) => process.stdout.write(`${line}\n`)
const service = await startService({ dataDir: temporaryDirectory(), port: await freePort() })
const adminKey = firstKey(service)
const { tenantId, items } = await seed(service.databaseUrl(), service.base, adminKey)
const owner = new pg.Client({ connectionString: service.databaseUrl() })
await owner.connect()
const containerIds = await spread(owner, tenantId, 1000)
const guestKey = await makeGuest(service.databaseUrl(), owner, tenantId, containerIds)
say(`${items} items in ${containerIds.length} containers\n`)

const asked = (title: string, path: string): Asked => ({ title, times: 60, request: () => ({ method: 'GET', path }) })
say('a member with 200 grants, against a super admin (p50 ms)')
for (const question of [
  asked('list, a page of 50', '/item?limit=50&sort=-id'),
  asked('list of what is open, by last change', '/item?limit=50&sort=-updated&status=Open'),
  asked('count', '/item?limit=1&count=exact'),
  asked('search for a frequent word', '/search?q=printer'),
  asked('search for a rare word', '/search?q=167%20fire'),
]) {
  const [admin, guest] = await latencies(service.base, [
    { key: adminKey, asked: question },
    { key: guestKey, asked: question },
  ])
  if (admin && guest)
    say(
      `  ${question.title.padEnd(40)} ${guest.p50.toFixed(1)} against ${admin.p50.toFixed(1)}: ${(admin.p50 / guest.p50).toFixed(2)}`,
    )
}

const { change, undo } = await takeBack(service.base, adminKey, 1000)
say(
  `\na change of 1,000 items ${change.toFixed(0)} ms, taking it back ${undo.toFixed(0)} ms: × ${(undo / change).toFixed(2)}`,
)

const memory = () => residentOf(service.process.pid ?? 0).reduce((sum, each) => sum + each, 0)
const before = memory()
const members = await makeMembers(service.databaseUrl(), tenantId, 100)
const followed = await followAndWrite(service, adminKey, members, { streams: 1000, perSecond: 200, seconds: 15 })
say(
  `\n1,000 streams, ${followed.written} writes in 15 s: delay p50 ${followed.p50.toFixed(0)} ms, p99 ${followed.p99.toFixed(0)} ms; ${followed.delivered} of ${followed.expected} events arrived`,
)
say(`resident ${before.toFixed(0)} MB before, ${followed.resident.toFixed(0)} MB with the streams open`)
await owner.end()
await service.stop()
process.exit(followed.delivered === followed.expected ? 0 : 1)
