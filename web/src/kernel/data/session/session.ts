import { call, isProblem, type SessionState } from '@gantry/sdk'
import { create } from 'zustand'
import { gantry, useConnection } from '../client.ts'
import { keep, keepFor, kept } from '../kept/shelves.ts'
import { onChanges, onNotice } from '../live/live.ts'
import { throttled } from '../live/live-list.ts'

const sessions = create<{ session: SessionState | undefined }>(() => ({ session: undefined }))

/** Who is signed in and what they see everywhere. Without a session the browser goes to the sign-in. */
export async function openSession(): Promise<SessionState | undefined> {
  try {
    return await refreshSession()
  } catch (error) {
    if (!isProblem(error) || error.status !== 401) return openKeptSession(error)
    location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`)
    return undefined
  }
}

/** Without a network the app opens as it was last. */
async function openKeptSession(error: unknown): Promise<SessionState> {
  const session = await kept<SessionState>('session', 'last')
  if (!session || !useConnection.getState().offline) throw error
  keepFor(session.tenant.id, session.user.id)
  sessions.setState({ session })
  return session
}

let asked = 0
let answered = 0

export async function refreshSession(): Promise<SessionState> {
  const own = ++asked
  const session = await call(gantry, 'GET /session')
  if (own < answered) return session // A later answer knows more.
  answered = own
  keepFor(session.tenant.id, session.user.id)
  sessions.setState({ session })
  void keep('session', [['last', session]])
  return session
}

/** Records that say what somebody may see and do. */
const entities = new Set(['AccessControl', 'UserGroup', 'Process', 'Field'])

/** Reads the session again when rights may have changed. Returns what stops it. */
export function followSession(): () => void {
  const refresh = throttled(() => void refreshSession().catch(() => undefined)) // the next message tries again
  const stops = [
    onNotice(name => name === 'session.changed' && refresh()),
    onChanges(changes => changes.some(({ entity }) => entities.has(entity)) && refresh()),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The session, for components: the app is shown only once there is one. */
export function useSession(): SessionState {
  const session = sessions(state => state.session)
  if (!session) throw new Error('the app is shown before its session is open')
  return session
}

/** The session, outside of components. */
export const sessionNow = (): SessionState | undefined => sessions.getState().session

/** Calls back when the person may see or do something else than before, until the returned function is called. */
export function onRightsChanged(listener: () => void): () => void {
  return sessions.subscribe(({ session: now }, { session: before }) => {
    if (now && before && rightsOf(now) !== rightsOf(before)) listener()
  })
}

const rightsOf = ({ permissions, places, containers }: SessionState) =>
  JSON.stringify([[...permissions].sort(), places, containers.map(({ id }) => id).sort()])

/** Changes the session as it is shown, until the service is asked again. */
export function patchSession(values: Partial<SessionState>): void {
  sessions.setState(({ session }) => ({ session: session && { ...session, ...values } }))
}
