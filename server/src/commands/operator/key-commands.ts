import { mint } from '../../admin/api-key.ts'
import { rotateSigningKeys } from '../../identity/signing-keys/rotation.ts'
import { signingKeySeal } from '../../identity/signing-keys/stored-keys.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Id } from '../../kernel/id.ts'
import { checkMasterKey, openSecrets } from '../../platform/secrets.ts'
import type { CommandInput } from './command-input.ts'
import { options, withDatabase } from './command-input.ts'
import { help, UsageError } from './usage.ts'

export async function createKey({ url, words }: CommandInput): Promise<string> {
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
        `${email} belongs to several tenants; choose one with --tenant ${found.map(each => each.slug).join(' or ')}`,
      )
    const [user] = found
    if (!user) throw new UsageError(`no active user has the e-mail ${email}`)
    const key = await database.transaction(tenantCaller(user.tenantId, user.id), ctx =>
      mint(ctx, { name: name.trim() }),
    )
    return key.RawKey
  })
}

export async function rotateKeys({ settings, url, words }: CommandInput): Promise<string> {
  const { revoke } = options(words, { revoke: { type: 'boolean' } })
  return await withDatabase(url, async database => {
    const secrets = openSecrets(settings)
    // A signing key that was sealed by another master key would prevent every sign-in.
    await checkMasterKey(database.crossTenantSql, secrets)
    const kid = await rotateSigningKeys(database, signingKeySeal(secrets), { revoke: Boolean(revoke) })
    return revoke
      ? `${kid} signs new tokens; tokens that older keys signed become invalid within seconds`
      : `${kid} signs new tokens after about one minute; tokens that older keys signed stay valid until they expire`
  })
}
