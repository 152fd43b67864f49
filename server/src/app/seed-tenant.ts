import { createTenantWithAdmin, type TenantCredentials, type TenantSeed } from '../admin/tenant/operate-tenants.ts'
import { freeSlug } from '../admin/tenant/operator-operations.ts'
import { tenants } from '../admin/tenant/tenant.ts'
import type { FirstWords } from '../admin/user/invitation/invitation.ts'
import { users } from '../admin/user/user.ts'
import { makeInbox } from '../containers/container/container.ts'
import { tenantCaller } from '../identity/tenant-caller.ts'
import { makeLinkTypes } from '../items/link/link-type.ts'
import type { Context } from '../kernel/context.ts'
import type { Database } from '../kernel/database.ts'
import { type Id, newId } from '../kernel/id.ts'
import { makeStartHere } from './start-here/start-here.ts'
import { languageOf, startTexts } from './start-here/start-here-texts.ts'
import { translateStart } from './start-here/translate-start.ts'

interface NewTenant {
  name: string
  email: string
  keyName: string
  operating?: boolean
}

interface CreatedTenant extends TenantCredentials {
  tenantId: Id
}

/**
 * Creates a tenant with its first super admin in one transaction. The returned credentials are shown once and not
 * stored.
 */
export async function createTenant(
  database: Database,
  { name, email, keyName, operating = false, ...more }: TenantSeed & NewTenant,
): Promise<CreatedTenant> {
  const tenantId = newId()
  const slug = await freeSlug(database, name)
  const { tenant: _, ...credentials } = await database.transaction(tenantCaller(tenantId, newId()), ctx =>
    createTenantWithAdmin(ctx, { name, slug, email, keyName, operating, ...more }, seedTenant),
  )
  return { tenantId, ...credentials }
}

/** Creates the records that every tenant starts with. */
export async function seedTenant(ctx: Context, { locale = '', startHere = true }: TenantSeed): Promise<void> {
  const language = languageOf(locale)
  await makeInbox(ctx, startTexts[language].inbox)
  await makeLinkTypes(ctx)
  if (startHere) await makeStartHere(ctx, language)
}

/**
 * Gives a tenant without a locale that of its only user, who has signed in by the password of the first start and was asked nothing. A
 * failure is reported and keeps nobody out.
 */
export async function welcomeFirstUser(
  database: Database,
  { tenantId, userId }: { tenantId: Id; userId: Id },
  locale: string,
  log: (line: Record<string, unknown>) => void,
): Promise<void> {
  try {
    await database.transaction(tenantCaller(tenantId, userId), async ctx => {
      const [alone] = await ctx.sql<{ locale: string }>`
        select u.locale from tenant t join "user" u on u.tenant_id = ${tenantId} and u.id = ${userId}::uuid and u.super_admin
        where t.tenant_id = ${tenantId} and t.locale = '' and not exists (select from "user" o
          where o.tenant_id = ${tenantId} and o.id <> ${userId}::uuid and not o.deleted)`
      if (!alone) return
      if (alone.locale === '') await users.update(ctx, userId, { locale })
      await beginTenant(ctx, { company: '', locale: alone.locale || locale })
    })
  } catch (error) {
    log({
      level: 'error',
      error: `the locale of a first user was not kept: ${error instanceof Error ? error.message : error}`,
    })
  }
}

/** Gives the first tenant of an installation the name and the locale that its first user says, and “Start here” and the inbox their language. */
export async function beginTenant(ctx: Context, { company, locale }: FirstWords): Promise<void> {
  const { id, locale: given } = await tenants.get(ctx, ctx.caller.tenantId)
  const isNew = given === '' && locale !== ''
  await tenants.update(ctx, id, { ...(company ? { name: company } : {}), ...(isNew ? { locale } : {}) })
  if (isNew && languageOf(locale) !== languageOf('')) await translateStart(ctx, languageOf(locale))
}
