import { existsSync, statSync } from 'node:fs'
import { access, constants, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { tryServer } from '../../../mail/transport/smtp.ts'
import { programVersion } from '../../../platform/backup/manifest.ts'
import { refuseUnfinishedRestore } from '../../../platform/backup/restore-target.ts'
import { outboundRules, type Settings } from '../../../platform/settings.ts'
import { type Check, type CheckResult, ok, problem, warning } from './finding.ts'

const gigabyte = 1e9
const little = { share: 0.1, bytes: 5 * gigabyte }
const tooLittle = { share: 0.02, bytes: gigabyte }

/** The checks that need no database. */
export const machineChecks: readonly Check[] = [
  { name: 'versions', run: () => [ok(`Gantry ${programVersion}, Node ${process.versions.node}`)] },
  { name: 'data', run: dataDirectory },
  { name: 'disk', run: disks },
  { name: 'proxy', run: proxy },
  { name: 'mail', run: mail },
]

async function dataDirectory({ dataDir }: Settings): Promise<CheckResult[]> {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  if (!found)
    return [problem(`${dataDir} does not exist`, 'set DATA_DIR to the folder of the service, or start it once')]
  try {
    refuseUnfinishedRestore(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK)
  } catch (error) {
    return [problem(messageOf(error), 'run the restore again, or give the folder to the user of the service')]
  }
  if (process.platform !== 'win32' && (found.mode & 0o007) !== 0)
    return [warning(`${dataDir} can be entered by every user of this machine`, `chmod o-rwx ${dataDir}`)]
  return [ok(dataDir)]
}

async function disks({ dataDir, backupDir, walArchive }: Settings): Promise<CheckResult[]> {
  const folders = [dataDir, backupDir, walArchive].filter(folder => folder !== undefined)
  return await Promise.all(folders.map(disk))
}

async function disk(folder: string): Promise<CheckResult> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(nearest(folder))
  const [free, share] = [bavail * bsize, bavail / blocks]
  const text = `${folder}: ${(free / gigabyte).toFixed(1)} GB free (${Math.round(share * 100)} %)`
  const advice = 'free some space, or move the folder to a larger disk'
  if (files > 0 && ffree / files < tooLittle.share) return problem(`${folder}: no inodes are left`, advice)
  if (free < tooLittle.bytes || share < tooLittle.share) return problem(text, advice)
  if (free < little.bytes && share < little.share) return warning(text, advice)
  return ok(text)
}

const nearest = (folder: string): string => (existsSync(folder) ? folder : nearest(dirname(folder)))

function proxy({ baseUrl, trustProxy, host }: Settings): CheckResult[] {
  const isLocal = /^(127\.|::1$|localhost$)/.test(host)
  const isTls = baseUrl.startsWith('https://')
  if (isTls && trustProxy === undefined)
    return [
      warning(
        'BASE_URL is https, so a proxy is in front, and TRUST_PROXY does not name it: all clients share its address',
        'set TRUST_PROXY to the address of the proxy (docs/operating/running.md)',
      ),
    ]
  if (typeof trustProxy === 'number' && !isLocal)
    return [
      warning(
        `TRUST_PROXY is a number, and HOST ${host} can be reached without the proxy: clients choose their address`,
        'set HOST=127.0.0.1, or TRUST_PROXY to the addresses of the proxies',
      ),
    ]
  if (!isTls && !isLocal)
    return [
      warning(
        `the service listens on ${host} without TLS, and BASE_URL is ${baseUrl}`,
        'put a proxy with TLS in front, and set BASE_URL and TRUST_PROXY',
      ),
    ]
  return [ok(isTls ? `${baseUrl}, behind ${trustProxy}` : `${baseUrl}, for this machine only`)]
}

async function mail(settings: Settings): Promise<CheckResult[]> {
  const { relay } = settings
  if (!relay) return [ok('the installation has no mail server of its own (SMTP_URL)')]
  const name = `${relay.host}:${relay.port}`
  return await tryServer({ ...relay, ours: true }, outboundRules(settings)).then(
    () => [ok(`${name} accepts the sign-in; mail is sent from ${relay.from}`)],
    error => [problem(`${name}: ${messageOf(error)}`, 'correct SMTP_URL, or ask the operator of the mail server')],
  )
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
