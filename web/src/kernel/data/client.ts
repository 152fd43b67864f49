import { connect, cookie } from '@gantry/sdk'
import { create } from 'zustand'
import { inWords } from '../problems/in-words.ts'

interface Connection {
  /** The service no longer knows this browser: somebody has to sign in again. What waits to be sent stays. */
  signedOut: boolean
  /** The service cannot be reached. */
  offline: boolean
}

export const useConnection = create<Connection>(() => ({ signedOut: false, offline: false }))

/** Resolves when the service knows this browser: at once, or after somebody has signed in again. */
export const signedIn = (): Promise<void> => when(({ signedOut }) => !signedOut)

/** Resolves when the service can be reached. */
export const reached = (): Promise<void> => when(({ offline }) => !offline)

function when(isSo: (connection: Connection) => boolean): Promise<void> {
  return new Promise(resolve => {
    if (isSo(useConnection.getState())) return resolve()
    const stop = useConnection.subscribe(now => {
      if (!isSo(now)) return
      stop()
      resolve()
    })
  })
}

/** What something on its way comes to, or `waits` if the service cannot be reached now. */
export function soon<T>(sent: Promise<T>): Promise<T | 'waits'> {
  const waits = new Promise<'waits'>(resolve => {
    const look = () => {
      const { offline, signedOut } = useConnection.getState()
      if (offline || signedOut) resolve('waits')
      return offline || signedOut
    }
    if (look()) return
    const stop = useConnection.subscribe(() => look() && stop())
    void sent.finally(stop)
  })
  return Promise.race([sent, waits])
}

/** The latest change sets that this tab has made: the live stream repeats them. */
const own = new Set<string>()
const remembered = 500

export const isOwnChange = (changeSet: string): boolean => own.has(changeSet)

/** A proxy answers these while the service itself cannot. */
const unreachable = new Set([502, 503, 504])
/** What browsers send after their page was left. */
const maxKeptAlive = 60_000

async function send(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body } = init
  const begun = performance.now()
  const keepalive = method !== 'GET' && typeof body === 'string' && body.length < maxKeptAlive
  let response: Response
  try {
    response = await fetch(input, { ...init, keepalive })
  } catch (error) {
    if (!init.signal?.aborted) setOffline(true)
    throw error
  }
  // What was asked before the network was lost says nothing about now.
  if (begun > lostAt) setOffline(unreachable.has(response.status))
  if (response.status === 401) useConnection.setState({ signedOut: true })
  const changeSet = response.headers.get('change-set')
  // An undo answers with no record: what it changed is learned from the stream.
  if (changeSet && !/\/undo(\?|$)/.test(response.url)) rememberOwn(changeSet)
  return inWords(response)
}

let lostAt = Number.NEGATIVE_INFINITY

function setOffline(offline: boolean): void {
  if (offline) lostAt = performance.now()
  if (useConnection.getState().offline !== offline) useConnection.setState({ offline })
}

function rememberOwn(changeSet: string): void {
  own.add(changeSet)
  for (const oldest of own) {
    if (own.size <= remembered) break
    own.delete(oldest)
  }
}

/** The service, with the session of this browser. */
export const gantry = connect({ url: globalThis.location?.origin ?? '', auth: cookie(), fetch: send, retries: 2 })
