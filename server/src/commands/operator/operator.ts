import { parseArgs } from 'node:util'
import { mint } from '../../admin/api-key.ts'
import { createTenant } from '../../app/seed-tenant.ts'
import { rotateSigningKeys } from '../../identity/signing-keys/rotation.ts'
import { signingKeySeal } from '../../identity/signing-keys/stored-keys.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { type Database, openDatabase } from '../../kernel/database.ts'
import { isEmail } from '../../kernel/formats.ts'
import type { Id } from '../../kernel/id.ts'
import { own } from '../../kernel/own.ts'
import { joinEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../platform/migrate.ts'
import { checkMasterKey, openSecrets } from '../../platform/secrets.ts'
import { allSettings, settingCalled } from '../../platform/setting.ts'
import type { Settings } from '../../platform/settings.ts'
import { exportTenantTo, importTenantFrom, setOperating } from './tenant-transfer.ts'

/** The command was not understood; the message says how it goes. */
export class UsageError extends Error {}

const help = `usage: npm run --silent gantry -- <verb>

  serve                                          start the service (npm start does the same)
  work                                           run the engines alone, beside a service with ENGINES=off
  tenant create --name N --email E [--json]      make a tenant with a super admin, and show the credentials once
  tenant operate --slug S [--off]                let its super admins look after the other tenants, or no more
  tenant export --slug S [--no-files]            write all that a tenant has to the standard output
  tenant import --file F --slug S --email E [--name N] [--active | --suspended]
                                                 make a tenant of an export; E becomes its super admin
  key create --email E --name N [--tenant SLUG]  mint an API key for a user, and print it alone
  signing-key rotate [--revoke]                  sign tokens with a new key; --revoke ends what the old ones signed
  setting list                                   what the operator says about settings, for tenants that say nothing
  setting set --key K --value JSON               say it; counts at once, without a restart
  setting unset --key K                          say nothing any more
  migrate                                        bring the database up to date
  doctor                                         look for what is wrong, and say what to do`

/** The operator's commands: they work while the service runs, on its own database and on an external one. */
export async function runOperatorCommand(settings: Settings, verb: string, words: string[]): Promise<void> {
  const command = ['tenant', 'key', 'signing-key', 'setting'].includes(verb) ? `${verb} ${words.shift() ?? ''}` : verb
  const act = own(commands, command)
  if (!act) throw new UsageError(help)
  const embedded = settings.databaseUrl
    ? undefined
    : await joinEmbeddedPostgres({ dataDir: settings.dataDir, log: () => {} })
  const url = settings.databaseUrl ?? embedded?.url ?? ''
  try {
    const lines = await act({ settings, url, words })
    if (lines !== undefined) process.stdout.write(`${lines}\n`)
  } finally {
    await embedded?.stop()
  }
}

interface CommandInput {
  settings: Settings
  url: string
  words: string[]
}

const commands: Record<string, (task: CommandInput) => Promise<string | undefined>> = {
  'tenant create': createTenantCommand,
  'tenant operate': operateTenant,
  'tenant export': exportTenant,
  'tenant import': importTenant,
  'key create': createKey,
  'signing-key rotate': rotateKeys,
  'setting list': listSettings,
  'setting set': setSetting,
  'setting unset': unsetSetting,
  migrate: async ({ url }) => {
    const done = await migrate(url)
    return done.length === 0 ? 'the database is up to date' : `migrated ${done.join(', ')}`
  },
  doctor,
}

async function createTenantCommand({ url, words }: CommandInput): Promise<string> {
  const { name, email, json } = options(words, {
    name: { type: 'string' },
    email: { type: 'string' },
    json: { type: 'boolean' },
  })
  if (!name?.trim() || !email || !isEmail(email))
    throw new UsageError(`tenant create needs --name and a valid --email\n\n${help}`)
  return await withDatabase(url, async database => {
    const { tenantId, userId, password, RawKey } = await createTenant(database, {
      name: name.trim(),
      email,
      keyName: 'First key',
    })
    if (json) return JSON.stringify({ tenantId, userId, RawKey })
    return `tenant    ${tenantId}\nuser      ${userId}\ne-mail    ${email}\npassword  ${password}\nAPI key   ${RawKey}`
  })
}

async function operateTenant({ url, words }: CommandInput): Promise<string> {
  const { slug, off } = options(words, { slug: { type: 'string' }, off: { type: 'boolean' } })
  if (!slug) throw new UsageError(`tenant operate needs --slug\n\n${help}`)
  await withDatabase(url, database => setOperating(database, slug, !off))
  return off ? `${slug} looks after itself only` : `the super admins of ${slug} look after all tenants`
}

async function exportTenant({ settings, url, words }: CommandInput): Promise<undefined> {
  const { slug, 'no-files': noFiles } = options(words, { slug: { type: 'string' }, 'no-files': { type: 'boolean' } })
  if (!slug) throw new UsageError(`tenant export needs --slug\n\n${help}`)
  await withDatabase(url, database => exportTenantTo(database, settings, { slug, files: !noFiles, to: process.stdout }))
}

async function importTenant({ settings, url, words }: CommandInput): Promise<string> {
  const { file, slug, email, name, active, suspended } = options(words, {
    file: { type: 'string' },
    slug: { type: 'string' },
    email: { type: 'string' },
    name: { type: 'string' },
    active: { type: 'boolean' },
    suspended: { type: 'boolean' },
  })
  if (!file || !slug || !email) throw new UsageError(`tenant import needs --file, --slug and --email\n\n${help}`)
  const state = active ? { suspended: 'false' } : suspended ? { suspended: 'true' } : {}
  return await withDatabase(url, async database => {
    const made = await importTenantFrom(database, settings, { file, slug, email, ...(name ? { name } : {}), ...state })
    const rows = Object.values(made.rows).reduce((sum, each) => sum + each, 0)
    return [
      `tenant    ${made.tenantId}${made.suspended ? ' (suspended)' : ''}`,
      `rows      ${rows}, files ${made.files}`,
      `hash      ${made.hash}`,
      `e-mail    ${made.email}`,
      `password  ${made.password}`,
      `API key   ${made.RawKey}`,
      ...(made.setAnew.length > 0
        ? [`set anew  ${made.setAnew.map(each => `${each.name} of ${each.ownerId}`).join(', ')}`]
        : []),
    ].join('\n')
  })
}

async function createKey({ url, words }: CommandInput): Promise<string> {
  const { name, email, tenant } = options(words, {
    name: { type: 'string' },
    email: { type: 'string' },
    tenant: { type: 'string' },
  })
  if (!name?.trim() || !email) throw new UsageError(`key create needs --email and --name\n\n${help}`)
  return await withDatabase(url, async database => {
    const found = await database.crossTenantSql<{
      tenantId: Id
      id: Id
      slug: string
    }>`select u.tenant_id as "tenantId", u.id, t.slug from "user" u join tenant t on t.tenant_id = u.tenant_id
      where lower(u.email) = lower(${email}) and u.active and not u.deleted and not t.deleted and (${tenant ?? ''} = '' or t.slug = ${tenant ?? ''})`
    if (found.length > 1)
      throw new UsageError(
        `${email} is in several tenants: say which by --tenant ${found.map(each => each.slug).join(' or ')}`,
      )
    const [user] = found
    if (!user) throw new UsageError(`no active user has the e-mail ${email}`)
    const key = await database.transaction(tenantCaller(user.tenantId, user.id), ctx =>
      mint(ctx, { name: name.trim() }),
    )
    return key.RawKey
  })
}

async function rotateKeys({ settings, url, words }: CommandInput): Promise<string> {
  const { revoke } = options(words, { revoke: { type: 'boolean' } })
  return await withDatabase(url, async database => {
    const secrets = openSecrets(settings)
    // A key that was sealed by another master key would end all signing in.
    await checkMasterKey(database.crossTenantSql, secrets)
    const kid = await rotateSigningKeys(database, signingKeySeal(secrets), { revoke: Boolean(revoke) })
    return revoke
      ? `${kid} signs from now on; within seconds nothing that older keys signed is valid`
      : `${kid} signs within a minute or so; what older keys signed stays valid until its end`
  })
}

async function listSettings({ url }: CommandInput): Promise<string> {
  return await withDatabase(url, async ({ crossTenantSql }) => {
    const rows = await crossTenantSql<{
      key: string
      value: unknown
    }>`select key, value from operator_setting order by key`
    return rows.map(({ key, value }) => `${key} = ${JSON.stringify(value)}`).join('\n') || 'nothing is set'
  })
}

async function setSetting({ url, words }: CommandInput): Promise<string> {
  const { key = '', value = '' } = options(words, { key: { type: 'string' }, value: { type: 'string' } })
  await import('../../app.ts') // the rooms declare what can be set
  const definition = settingCalled(key)
  if (!definition)
    throw new UsageError(
      `no setting is called "${key}": there are ${allSettings()
        .map(each => each.key)
        .join(', ')}`,
    )
  const parsed = parseValue(value)
  const [wrong] = definition.faults(parsed)
  if (wrong) throw new UsageError(`${key} ${wrong.Message}`)
  return await withDatabase(url, async ({ crossTenantSql }) => {
    await crossTenantSql`insert into operator_setting (key, value) values (${key}, ${JSON.stringify(parsed)}::jsonb)
      on conflict (key) do update set value = excluded.value, updated = now()`
    return `${key} = ${JSON.stringify(parsed)}`
  })
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`the value must be JSON, such as 14, true or '"text"'\n\n${help}`)
  }
}

async function unsetSetting({ url, words }: CommandInput): Promise<string> {
  const { key = '' } = options(words, { key: { type: 'string' } })
  return await withDatabase(url, async ({ crossTenantSql }) => {
    await crossTenantSql`delete from operator_setting where key = ${key}`
    return `${key} is not set`
  })
}

async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  await migrate(url)
  const database = openDatabase({ url, poolSize: 2, queueSize: 10, statementTimeout: 60_000 })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

function options<
  O extends Parameters<typeof parseArgs>[0] extends infer C
    ? C extends { options?: infer P }
      ? NonNullable<P>
      : never
    : never,
>(words: string[], known: O) {
  try {
    return parseArgs({ args: words, options: known }).values as Record<string, string | undefined> & { json?: boolean }
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n\n${help}`)
  }
}

/** Looks at what an installation needs, and names what is missing. */
async function doctor({ settings, url }: CommandInput): Promise<string> {
  const pending = await migrate(url)
  return await withDatabase(url, async database => {
    const [server] = await database.crossTenantSql<{
      version: string
    }>`select current_setting('server_version') as version`
    const [count] = await database.crossTenantSql<{
      tenants: number
    }>`select count(*)::int as tenants from tenant where not deleted`
    await checkMasterKey(database.crossTenantSql, openSecrets(settings))
    return [
      `node        ${process.version}`,
      `PostgreSQL  ${server?.version} (${settings.databaseUrl ? 'external' : `embedded, in ${settings.dataDir}`})`,
      `schema      ${pending.length === 0 ? 'up to date' : `was behind; migrated ${pending.join(', ')}`}`,
      `tenants     ${count?.tenants}`,
      'master key  fits',
      'all is well',
    ].join('\n')
  })
}
