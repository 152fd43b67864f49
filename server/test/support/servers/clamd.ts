import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

const binary = '/usr/sbin/clamd'

/** Why tests with a virus scanner are skipped; false if they are not. */
export const noClamd: string | false = existsSync(binary) ? false : 'clamav-daemon is not installed'

/** The test file that every scanner knows, in two parts, so that no scanner finds it in this file. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

/** Starts a real clamd with one signature, that of the EICAR test file, until the end of the test file. */
export async function startClamd(more: readonly string[] = []) {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-clamd-'))
  chmodSync(directory, 0o755)
  mkdirSync(join(directory, 'signatures'))
  // The name, the type of file (any), the offset (any), and the bytes.
  writeFileSync(join(directory, 'signatures', 'own.ndb'), `Own.Eicar:0:*:${Buffer.from(eicar).toString('hex')}\n`)
  const port = await freePort()
  const config = join(directory, 'clamd.conf')
  const lines = [
    `DatabaseDirectory ${directory}/signatures`,
    `TCPSocket ${port}`,
    'TCPAddr 127.0.0.1',
    'Foreground yes',
    'User root',
    `TemporaryDirectory ${directory}`,
    ...more,
    '',
  ]
  writeFileSync(config, lines.join('\n'))
  let scanner: ChildProcess | undefined
  const start = async () => {
    scanner = spawn(binary, ['-c', config], { stdio: 'ignore' })
    await until(() => accepts(port))
  }
  const stop = async () => {
    const ended = new Promise(resolve => scanner?.once('exit', resolve))
    scanner?.kill('SIGTERM')
    await ended
  }
  await start()
  after(async () => {
    if (scanner?.exitCode === null && scanner.signalCode === null) await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return { place: `127.0.0.1:${port}`, start, stop }
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
