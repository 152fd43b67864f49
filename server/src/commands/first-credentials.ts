import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Settings } from '../platform/settings.ts'

interface FirstCredentials {
  email: string
  password: string
  RawKey: string
  /** The invitation with which the first user chooses name, address and password. */
  token: string
}

/**
 * Stores the credentials of the first start where only the operator reads them, and returns the greeting. A terminal shows them
 * too; any other output may be a log, which many people read and which is kept.
 */
export function greet(
  { dataDir, baseUrl }: Pick<Settings, 'dataDir' | 'baseUrl'>,
  { email, password, RawKey, token }: FirstCredentials,
  terminal: boolean,
): string {
  const file = join(dataDir, 'first-credentials.txt')
  const link = `${baseUrl}/invitation/${token}?first`
  const lines = `  begin at  ${link}\n\n  e-mail    ${email}\n  password  ${password}\n  API key   ${RawKey}\n`
  writeFileSync(file, lines, { mode: 0o600, flag: 'w', flush: true })
  const key = terminal
    ? `'Authorization: Bearer ${RawKey}'`
    : `"Authorization: Bearer $(sed -n 's/^ *API key *//p' '${file}')"`
  return `
Welcome to Gantry. The first tenant is ready, and you are its super admin.
${terminal ? `These are your credentials. They are also in ${file}, which you may delete:\n\n${lines}` : `Your credentials are in ${file}, which only you can read. Delete it when you have them.\n`}
Create your first item:

  curl -s -X POST ${baseUrl}/api/item -H ${key} -H 'Content-Type: application/json' -d '{"title": "Look around"}'
`
}
