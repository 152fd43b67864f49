import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { maxPasswordLength, minPasswordLength } from '../../identity/password/password-rules.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/database.ts'
import { setting, settingOf } from '../../platform/setting.ts'
import { offeredMetas } from '../entra-meta/entra-meta.ts'
import { readTenantQuery, tenantBySlug } from '../entra-meta/tenant-by-slug.ts'

/** The configuration that a client needs before sign-in. It is public, so it says how to sign in and nothing about users. */
export function mountPublicConfig(
  app: FastifyInstance,
  { database, baseUrl }: { database: Database; baseUrl: string },
): void {
  app.get<{ Querystring: Record<string, unknown> }>('/api/config', async request => {
    const tenantId = await tenantBySlug(database, readTenantQuery(request.query).tenant)
    const workspace = tenantId ? await database.single(tenantCaller(tenantId), workspaceOf) : undefined
    const { signOn = [], locale = '', timezone = 'UTC', ...branding } = workspace ?? {}
    return {
      product: 'Gantry',
      baseUrl,
      authentication: {
        password: true,
        apiKey: true,
        oauth: `${baseUrl}/.well-known/oauth-authorization-server`,
        signOn,
      },
      passwordPolicy: { minLength: minPasswordLength, maxLength: maxPasswordLength },
      locale,
      timezone,
      branding: { name: '', logoUrl: '', color: '', ...branding },
    }
  })
}

const brandName = setting('branding.name', {
  schema: Type.String({ maxLength: 100 }),
  default: '',
  scopes: ['tenant'],
  description: 'The name of the workspace on the sign-in page.',
})

const brandLogo = setting('branding.logoUrl', {
  schema: Type.String({ maxLength: 2000, pattern: '^(https://.*)?$' }),
  default: '',
  scopes: ['tenant'],
  description: 'The https address of the logo on the sign-in page.',
})

const brandColor = setting('branding.color', {
  schema: Type.String({ pattern: '^(#[0-9a-fA-F]{6})?$' }),
  default: '',
  scopes: ['tenant'],
  description: 'The colour of the workspace, such as #336699.',
})

/** How a workspace wants to be seen on the sign-in page; undefined if there is no such workspace. */
export async function brandOf(database: Database, slug: string): Promise<Brand | undefined> {
  const tenantId = await tenantBySlug(database, slug)
  return tenantId ? await database.single(tenantCaller(tenantId), branding) : undefined
}

/** The same for the tenant of the context. */
export const branding = async (ctx: Context): Promise<Brand> => ({
  name: await settingOf(ctx, brandName),
  logoUrl: await settingOf(ctx, brandLogo),
  color: await settingOf(ctx, brandColor),
})

async function workspaceOf(ctx: Context) {
  const [tenant] = await ctx.sql<{ locale: string; timezone: string }>`select locale, timezone from tenant
    where tenant_id = ${ctx.caller.tenantId}`
  const metas = await offeredMetas(ctx)
  return {
    locale: tenant?.locale ?? '',
    timezone: tenant?.timezone ?? 'UTC',
    ...(await branding(ctx)),
    signOn: metas.map(({ id, name, provider }) => ({ id, name, provider })),
  }
}
