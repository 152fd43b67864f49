import { createTenant } from '../../app/seed-tenant.ts'
import { isEmail } from '../../kernel/schema/formats.ts'
import type { CommandInput } from './command-input.ts'
import { options, withDatabase } from './command-input.ts'
import { exportTenantTo, importTenantFrom, setOperating } from './tenant-transfer.ts'
import { help, UsageError } from './usage.ts'

export async function createTenantCommand({ url, words }: CommandInput): Promise<string> {
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

export async function operateTenant({ url, words }: CommandInput): Promise<string> {
  const { slug, off } = options(words, { slug: { type: 'string' }, off: { type: 'boolean' } })
  if (!slug) throw new UsageError(`tenant operate needs --slug\n\n${help}`)
  await withDatabase(url, database => setOperating(database, slug, !off))
  return off
    ? `the super admins of ${slug} manage only their own tenant`
    : `the super admins of ${slug} manage all tenants`
}

export async function exportTenant({ settings, url, words }: CommandInput): Promise<undefined> {
  const { slug, 'no-files': noFiles } = options(words, { slug: { type: 'string' }, 'no-files': { type: 'boolean' } })
  if (!slug) throw new UsageError(`tenant export needs --slug\n\n${help}`)
  await withDatabase(url, database => exportTenantTo(database, settings, { slug, files: !noFiles, to: process.stdout }))
}

export async function importTenant({ settings, url, words }: CommandInput): Promise<string> {
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
        ? [`set again ${made.setAnew.map(each => `${each.name} of ${each.ownerId}`).join(', ')}`]
        : []),
    ].join('\n')
  })
}
