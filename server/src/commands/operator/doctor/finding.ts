import type pg from 'pg'
import type { Settings } from '../../../platform/settings.ts'

/** What a check found: all is well, something should be done, or something does not work. */
export interface CheckResult {
  state: 'ok' | 'warning' | 'problem'
  text: string
  /** What the operator can do about it. */
  advice?: string
}

export const ok = (text: string): CheckResult => ({ state: 'ok', text })
export const warning = (text: string, advice: string): CheckResult => ({ state: 'warning', text, advice })
export const problem = (text: string, advice: string): CheckResult => ({ state: 'problem', text, advice })

/** A check of the machine, the settings or the folders. It changes nothing. */
export interface Check {
  name: string
  run(settings: Settings): Promise<CheckResult[]> | CheckResult[]
}

/** A check of the database, in a session that can only read. */
export interface DatabaseCheck {
  name: string
  run(settings: Settings, database: { client: pg.Client; url: string }): Promise<CheckResult[]>
}
