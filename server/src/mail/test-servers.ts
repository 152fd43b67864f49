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
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

// A real Dovecot and a real Postfix as ordinary processes on free ports of this machine, in a directory that goes away.

const dovecotBinary = '/usr/sbin/dovecot'
const postfixBinary = '/usr/sbin/postfix'

/** Why they cannot be started here; false, if they can. */
export const missingServers: string | false =
  process.getuid?.() !== 0
    ? 'mail servers are started by root only'
    : [dovecotBinary, postfixBinary].every(each => existsSync(each))
      ? false
      : 'dovecot-imapd and postfix are not installed'

export interface MailServers {
  imapPort: number
  smtpPort: number
  /** For OUTBOUND_ALLOW. */
  allow: string
  /** The certificate of both, for MAIL_CA_FILE. */
  caFile: string
  password: string
  /** Puts a message into a mailbox, as if it had come by mail. */
  drop(user: string, raw: string): Promise<void>
  /** The messages of a mailbox, as they lie there. */
  lying(user: string): string[]
  /** How many of them nobody has marked as read. */
  unseen(user: string): number
  /** Makes the mailbox anew: the same messages, other numbers. */
  renew(user: string): Promise<void>
  restartImap(): Promise<void>
}

async function freePort(): Promise<number> {
  return await new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** People and desks with a mailbox; whoever else is at these domains is taken at first, and sent back after all. */
const boxes = ['desk', 'second', 'rita', 'sam', 'bot']

export async function mailServers(): Promise<MailServers> {
  const directory = mkdtempSync(join(tmpdir(), 'gantry-mail-'))
  chmodSync(directory, 0o755)
  const [imapPort, smtpPort] = [await freePort(), await freePort()]
  const mail = join(directory, 'mail')
  const nobody = Number(execFileSync('id', ['-u', 'nobody'], { encoding: 'utf8' }))
  const group = Number(execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }))
  for (const each of ['mail', 'home', 'base', 'state', 'postfix', 'queue', 'data']) mkdirSync(join(directory, each))
  for (const each of ['mail', 'home']) chownSync(join(directory, each), nobody, group)
  chownSync(join(directory, 'data'), Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' })), 0)
  const [certificate, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1'
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      key,
      '-out',
      certificate,
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      names,
    ],
    { stdio: 'ignore' },
  )
  const config = { directory, mail, imapPort, smtpPort, certificate, key, nobody, group }
  writeFileSync(join(directory, 'dovecot.conf'), dovecotConfig(config))
  writeFileSync(join(directory, 'postfix/main.cf'), postfixConfig(config))
  writeFileSync(join(directory, 'postfix/master.cf'), postfixServices(smtpPort))
  writeFileSync(
    join(directory, 'postfix/boxes'),
    [...boxes.map(box => `/^${box}(\\+.*)?@/ ${box}/`), '/@/ $1/', ''].join('\n'),
  )
  const running: ChildProcess[] = []
  const startImap = async () => {
    running.push(spawn(dovecotBinary, ['-F', '-c', join(directory, 'dovecot.conf')], { stdio: 'ignore' }))
    await listening(imapPort)
  }
  after(async () => {
    for (const each of running) each.kill('SIGTERM')
    execFileSync(postfixBinary, ['-c', join(directory, 'postfix'), 'stop'], { stdio: 'ignore' })
    await sleep(300)
    rmSync(directory, { recursive: true, force: true })
  })
  spawn(postfixBinary, ['-c', join(directory, 'postfix'), 'start-fg'], { stdio: 'ignore' })
  await startImap()
  await listening(smtpPort)
  let dropped = 0
  return {
    imapPort,
    smtpPort,
    allow: `localhost:${imapPort},localhost:${smtpPort}`,
    caFile: certificate,
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
      // The numbers of a mailbox begin with the second in which it was made.
      await sleep(1100)
    },
    async restartImap() {
      const last = running.pop()
      last?.kill('SIGTERM')
      await once(last ?? new EventEmitter(), 'exit')
      await startImap()
    },
  }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const open = await new Promise<boolean>(resolve => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
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
  imapPort: number
  smtpPort: number
  certificate: string
  key: string
  nobody: number
  group: number
}

const dovecotConfig = ({ directory, mail, imapPort, certificate, key, nobody, group }: Config) => `
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
auth_mechanisms = plain login
auth_username_format = %Ln
passdb {
  driver = static
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
    port = ${imapPort}
    ssl = yes
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`

const postfixConfig = ({ directory, mail, certificate, key, nobody, group }: Config) => `
compatibility_level = 3.6
config_directory = ${directory}/postfix
queue_directory = ${directory}/queue
data_directory = ${directory}/data
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.test
mydestination =
mynetworks = 127.0.0.0/8
smtpd_relay_restrictions = permit_mynetworks, reject
virtual_mailbox_domains = desk.test, people.test
virtual_mailbox_base = ${mail}
virtual_mailbox_maps = regexp:${directory}/postfix/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${group}
recipient_delimiter = +
smtpd_tls_cert_file = ${certificate}
smtpd_tls_key_file = ${key}
smtpd_tls_security_level = may
smtpd_reject_unlisted_recipient = no
maillog_file = ${directory}/postfix.log
maillog_file_prefixes = ${tmpdir()}
alias_maps =
alias_database =
local_recipient_maps =
default_transport = error:no way out
smtputf8_enable = yes
`

const postfixServices = (smtpPort: number) => `
127.0.0.1:${smtpPort} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
smtp unix - - n - - smtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`
