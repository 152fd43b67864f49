import { useConnection } from '../client.ts'
import { allKept, keep } from '../kept/shelves.ts'
import { newId } from '../records/ids.ts'
import { refreshSession } from '../session/session.ts'
import { adopt, drainAll } from './outbox.ts'
import type { Write } from './write.ts'

// Each tab sends its own writes. Those of a tab that is gone are taken over by one of the others.

export const ownTab = newId()
const lockOf = (tab: string) => `gantry.tab ${tab}`

const searchInterval = 10_000
const firstPause = 1000
const maxPause = 30_000

/** Sends what waits from earlier, and again whenever the service can be reached. */
export function openOutbox(): void {
  // A tab holds this lock as long as it lives.
  if ('locks' in navigator) void navigator.locks.request(lockOf(ownTab), () => new Promise(() => undefined))
  void search()
  // A reloaded page may still hold its lock for a moment.
  setTimeout(search, firstPause)
  if ('locks' in navigator) setInterval(search, searchInterval)
  const tabs = new BroadcastChannel('gantry.outbox')
  window.addEventListener('pagehide', () => tabs.postMessage('left'))
  tabs.onmessage = () => setTimeout(search, firstPause)
  window.addEventListener('online', () => void probe())
  // A request may still get through just after the network is said to be lost, so one answer does not prove the contrary.
  window.addEventListener('offline', () => void probe().then(() => probeWhile(() => !navigator.onLine && !isOffline())))
  useConnection.subscribe((now, before) => {
    if (now.offline && !before.offline) void probeWhile(isOffline)
    if ((before.offline && !now.offline) || (before.signedOut && !now.signedOut)) drainAll()
  })
}

/** Takes over the writes of tabs that are gone. */
async function search(): Promise<void> {
  // Without locks a tab cannot know of others. Their writes are sent twice then, which has one effect: they carry versions and keys.
  if (!('locks' in navigator)) return adopt((await allKept<Write>('outbox')).map(([, write]) => write))
  await navigator.locks.request('gantry.outbox', async () => {
    const { held = [] } = await navigator.locks.query()
    const alive = new Set(held.map(({ name }) => name))
    const writes = (await allKept<Write>('outbox')).map(([, write]) => write)
    const left = writes.filter(({ tab }) => tab !== ownTab && !alive.has(lockOf(tab)))
    const ours = left.map(write => ({ ...write, tab: ownTab, attempted: true, sentOn: write.sentOn ?? write.madeOn }))
    await keep(
      'outbox',
      ours.map(write => [write.id, write] as const),
    )
    adopt(ours)
  })
}

const probe = () => refreshSession().then(drainAll, () => undefined) // an answer that fails says that it stays as it is

const isOffline = () => useConnection.getState().offline

async function probeWhile(holds: () => boolean): Promise<void> {
  for (let pause = firstPause; holds(); pause = Math.min(maxPause, pause * 2)) {
    await new Promise(resolve => setTimeout(resolve, pause))
    await probe()
  }
}
