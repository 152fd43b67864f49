import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../test/support/free-port.ts'

// A real Dovecot, started as an ordinary process on a free port, with a temporary directory.

const binary = '/usr/sbin/dovecot'

/** The reason why Dovecot cannot be started on this machine; false if it can. */
export const missingDovecot: string | false =
  process.getuid?.() !== 0
    ? 'mail servers are started by root only'
    : existsSync(binary)
      ? false
      : 'dovecot-imapd is not installed'

export interface Dovecot {
  port: number
  /** The directory of its files; a server that delivers to it uses it, too. */
  directory: string
  /** The directory of the mailboxes. */
  mail: string
  certificate: string
  key: string
  /** The user and the group that own the mailboxes. */
  nobody: number
  group: number
  password: string
  /** Puts a message into a mailbox, as if it had been delivered. */
  drop(user: string, raw: string): Promise<void>
  /** The stored messages of a mailbox. */
  lying(user: string): string[]
  /** The number of messages that are not marked as read. */
  unseen(user: string): number
  /** Recreates the mailbox: the same messages with other UIDs. */
  renew(user: string): Promise<void>
  restart(): Promise<void>
  /** Stops the server and removes the directory. */
  stop(): Promise<void>
}

/** Starts Dovecot. With `introspection`, the address that validates access tokens, clients can also sign in with tokens. */
export async function startDovecot({ introspection = '' } = {}): Promise<Dovecot> {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-mail-'))
  chmodSync(directory, 0o755)
  const port = await freePort()
  const mail = join(directory, 'mail')
  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  const group = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }))
  for (const each of ['mail', 'home', 'base', 'state']) mkdirSync(join(directory, each))
  for (const each of ['mail', 'home']) chownSync(join(directory, each), nobody, group)
  const [certificate, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', certificate],
      ...['-days', '2', '-subj', '/CN=localhost', '-addext', names],
    ],
    { stdio: 'ignore' },
  )
  const config = { directory, mail, port, certificate, key, nobody, group, introspection }
  writeFileSync(join(directory, 'oauth2.conf'), tokenConfig(introspection))
  writeFileSync(join(directory, 'dovecot.conf'), dovecotConfig(config))
  let running: ChildProcess | undefined
  const start = async () => {
    running = spawn(binary, ['-F', '-c', join(directory, 'dovecot.conf')], { stdio: 'ignore' })
    await listening(port)
  }
  await start()
  let dropped = 0
  return {
    ...config,
    password: 'secret',
    async drop(user, raw) {
      const box = join(mail, user)
      for (const each of ['', 'new', 'cur', 'tmp']) {
        if (existsSync(join(box, each))) continue
        mkdirSync(join(box, each), { recursive: true })
        chownSync(join(box, each), nobody, group)
      }
      const name = `${Date.now()}.M${++dropped}P${process.pid}.test`
      writeFileSync(join(box, 'tmp', name), raw)
      chownSync(join(box, 'tmp', name), nobody, group)
      renameSync(join(box, 'tmp', name), join(box, 'new', name))
    },
    lying: user =>
      ['new', 'cur'].flatMap(part => {
        const path = join(mail, user, part)
        return existsSync(path) ? readdirSync(path).map(file => readFileSync(join(path, file), 'utf8')) : []
      }),
    unseen: user =>
      ['new', 'cur'].flatMap(part => readdirSync(join(mail, user, part))).filter(file => !/:2,[A-Z]*S/.test(file))
        .length,
    async renew(user) {
      for (const file of readdirSync(join(mail, user)))
        if (file.startsWith('dovecot')) rmSync(join(mail, user, file), { recursive: true })
      // UIDVALIDITY is the second in which the mailbox was created.
      await sleep(1100)
    },
    async restart() {
      running?.kill('SIGTERM')
      await once(running ?? new EventEmitter(), 'exit')
      await start()
    },
    async stop() {
      running?.kill('SIGTERM')
      await sleep(300)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Resolves when a server answers at this port. */
export async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      // A socket that is destroyed before it is connected only emits `close`.
      socket.on('error', () => {}).on('close', () => resolve(false))
      setTimeout(() => socket.destroy(), 50)
    })
    if (open) return
    await sleep(50)
  }
  throw new Error(`no mail server came up at port ${port}`)
}

interface Config {
  directory: string
  mail: string
  port: number
  certificate: string
  key: string
  nobody: number
  group: number
  introspection: string
}

const tokenConfig = (introspection: string) => `
introspection_url = ${introspection}
introspection_mode = post
username_attribute = username
active_attribute = active
active_value = true
`

const tokens = ({ directory }: Config) => `
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${directory}/oauth2.conf
}
`

const dovecotConfig = (config: Config) => {
  const { directory, mail, port, certificate, key, nobody, group, introspection } = config
  return `
base_dir = ${directory}/base
state_dir = ${directory}/state
log_path = ${directory}/dovecot.log
protocols = imap
listen = 127.0.0.1
default_internal_user = root
default_internal_group = root
default_login_user = nobody
first_valid_uid = 1
mail_uid = ${nobody}
mail_gid = ${group}
mail_location = maildir:${mail}/%u
mail_max_userip_connections = 100
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${key}
disable_plaintext_auth = no
auth_mechanisms = plain login${introspection ? ' xoauth2 oauthbearer' : ''}
auth_username_format = %Ln
${introspection ? tokens(config) : ''}
passdb {
  driver = static
  mechanisms = plain login
  args = password=secret
}
userdb {
  driver = static
  args = uid=${nobody} gid=${group} home=${directory}/home/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service auth {
  unix_listener ${directory}/sasl {
    mode = 0666
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`
}
