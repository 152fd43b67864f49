import { call, codes, isProblem } from '@gantry/sdk'
import { attempt } from '../attempt.ts'
import { gantry, reached, useConnection } from '../client.ts'
import { patchSession, sessionNow, useSession } from './session.ts'

/** What the app remembers for a person, on all their devices. */
export interface Preferences {
  starred?: { entity: string; id: string }[]
  /** The keys of commands that the person has changed; none if the text is empty. */
  keys?: Record<string, string>
  /** Whether keys without a modifier run commands. */
  singleKeys?: boolean
  /** By container: the columns of its list, and how it is grouped. */
  lists?: Record<string, { columns?: readonly { path: string; width?: number | undefined }[]; group?: string }>
  /** Whether the sidebar is narrow. */
  rail?: boolean
  /** Whether the first steps are shown: as long as the workspace is new, if undefined. */
  firstSteps?: boolean
}

// The service checks only that the preferences are an object: older versions of the app may have written other properties.
const read = (preferences: Record<string, unknown>): Preferences => preferences

export const usePreferences = (): Preferences => read(useSession().preferences)
export const preferencesNow = (): Preferences => read(sessionNow()?.preferences ?? {})

let sending: Promise<unknown> = Promise.resolve()

/** Changes preferences: shown at once, then kept by the service. */
export async function setPreferences(values: Preferences): Promise<void> {
  const value = { ...preferencesNow(), ...values }
  patchSession({ preferences: value })
  sending = sending.catch(() => undefined).then(() => attempt(() => storeWhenReached(value)))
  await sending
}

const key = 'ui.preferences'

async function storeWhenReached(value: object): Promise<void> {
  await reached()
  try {
    await store(value)
  } catch (error) {
    if (isProblem(error) || !useConnection.getState().offline) throw error
    await storeWhenReached(value)
  }
}

async function store(value: object): Promise<void> {
  const scope = codes.settingScope.user
  const [known] = await call(gantry, 'GET /admin/setting', { query: { key, scope, limit: 1 } })
  if (known) await call(gantry, 'PUT /admin/setting/{id}', { path: { id: known.id }, body: { value } })
  else await call(gantry, 'POST /admin/setting', { body: { key, scope, value } })
}
