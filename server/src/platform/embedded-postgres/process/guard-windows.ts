// The counterpart of guard.sh for Windows: runs PostgreSQL through pg_ctl as long as the standard input stays open.
import { spawnSync } from 'node:child_process'
import { livePostmaster } from './postmaster.ts'

const [pgCtl = '', cluster = '', log = ''] = process.argv.slice(2)

const started = control('start', '-W', '-l', log)
if (!started) process.exit(1)

process.stdin.resume().once('end', () => {
  if (!control('stop', '-m', 'fast', '-t', '8')) control('stop', '-m', 'immediate', '-t', '5')
  process.exit(0)
})

// pg_ctl -W returns before PostgreSQL has written its pid, so a missing pid counts only after some time.
let patience = 20
setInterval(() => {
  if (livePostmaster(cluster) !== undefined) patience = 0
  else if (patience-- <= 0) process.exit(1)
}, 500)

function control(...args: string[]): boolean {
  return spawnSync(pgCtl, [...args, '-D', cluster], { stdio: 'ignore', windowsHide: true }).status === 0
}
