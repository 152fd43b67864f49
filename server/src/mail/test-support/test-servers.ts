import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { type Dovecot, listening, missingDovecot, startDovecot } from './test-dovecot.ts'

// A real Dovecot, and a real Postfix that delivers to it, for one test file.

const binary = '/usr/sbin/postfix'

/** The reason why they cannot be started on this machine; false if they can. */
export const missingServers: string | false =
  missingDovecot || (existsSync(binary) ? false : 'postfix is not installed')

interface MailServers extends Pick<Dovecot, 'password' | 'drop' | 'lying' | 'unseen' | 'renew' | 'mail'> {
  imapPort: number
  smtpPort: number
  /** The value for OUTBOUND_ALLOW. */
  allow: string
  /** The certificate of both, for MAIL_CA_FILE. */
  caFile: string
  restartImap(): Promise<void>
}

/** The addresses with a mailbox. Mail to other addresses of these domains is accepted first, and then bounces. */
const boxes = ['desk', 'second', 'rita', 'sam', 'bot', 'archive']

export async function mailServers(options: { introspection?: string } = {}): Promise<MailServers> {
  const smtpPort = await freePort()
  const dovecot = await startDovecot(options)
  const { directory, port: imapPort, certificate, restart, stop } = dovecot
  const config = join(directory, 'postfix')
  for (const each of ['postfix', 'queue', 'data']) mkdirSync(join(directory, each))
  chownSync(join(directory, 'data'), Number(execFileSync('id', ['-u', 'postfix'], { encoding: 'utf8' })), 0)
  writeFileSync(join(config, 'main.cf'), postfixConfig(dovecot))
  writeFileSync(join(config, 'master.cf'), postfixServices(smtpPort))
  writeFileSync(join(config, 'boxes'), [...boxes.map(box => `/^${box}(\\+.*)?@/ ${box}/`), '/@/ $1/', ''].join('\n'))
  after(async () => {
    execFileSync(binary, ['-c', config, 'stop'], { stdio: 'ignore' })
    await stop()
  })
  spawn(binary, ['-c', config, 'start-fg'], { stdio: 'ignore' })
  await listening(smtpPort)
  return {
    ...dovecot,
    imapPort,
    smtpPort,
    allow: `localhost:${imapPort},localhost:${smtpPort}`,
    caFile: certificate,
    restartImap: restart,
  }
}

const postfixConfig = ({ directory, mail, certificate, key, nobody, group }: Dovecot) => `
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
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = ${directory}/sasl
smtpd_sasl_authenticated_header = yes
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
