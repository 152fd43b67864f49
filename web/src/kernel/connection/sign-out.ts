import { useConnection } from '../data/client.ts'
import { wipeShelves } from '../data/kept/shelves.ts'
import { emptyOutbox, useOutbox } from '../data/outbox/outbox.ts'
import { clear } from '../data/records/store.ts'
import { refreshSession, sessionNow } from '../data/session/session.ts'
import { notify } from '../data/undo.ts'
import { say } from './messages.ts'

type Message = 'signed-in' | 'signed-out'

const channel = () => new BroadcastChannel('gantry.session')

let warnedOf = 0
const patience = 2000

/** Ends the session of the browser, in all its tabs, and wipes what the app keeps. What is not sent is dropped only when asked twice. */
export async function signOut(): Promise<void> {
  const { length } = useOutbox.getState().waiting
  if (length > warnedOf) {
    warnedOf = length
    return notify(say.notSent(length))
  }
  try {
    await fetch('/sign-out', { method: 'POST', headers: { 'x-gantry': 'web' } })
  } catch {
    return notify(say.cannotSignOut)
  }
  tellTabs('signed-out')
  await leave()
}

/** Forgets everything about the person in this tab and in the browser. */
async function leave(): Promise<void> {
  emptyOutbox()
  clear()
  localStorage.clear()
  sessionStorage.clear()
  // The service has told the browser to clear its storage, which may have closed it under our hands: nobody waits for that.
  await Promise.race([wipeBrowser(), new Promise(resolve => setTimeout(resolve, patience))])
  location.assign('/sign-in')
}

async function wipeBrowser(): Promise<void> {
  await wipeShelves()
  if ('caches' in window) for (const name of await caches.keys()) await caches.delete(name)
}

/** Tells the other tabs that the browser has a session again, or none. */
export function tellTabs(message: Message): void {
  const tabs = channel()
  tabs.postMessage(message)
  tabs.close()
}

/** Follows what other tabs tell. */
export function followTabs(): void {
  channel().onmessage = ({ data }: MessageEvent<Message>) => void (data === 'signed-out' ? leave() : goOn())
}

/** Somebody has signed in again: if it is the same person, the work goes on. */
async function goOn(): Promise<void> {
  const before = sessionNow()
  const now = await refreshSession().catch(() => undefined)
  if (!now) return
  if (now.user.id === before?.user.id && now.tenant.id === before.tenant.id)
    useConnection.setState({ signedOut: false })
  else location.reload()
}
