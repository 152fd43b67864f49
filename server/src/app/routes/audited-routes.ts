import { appendAudit, appendRightsAudit } from '../../identity/audit/audit.ts'
import { appendSettingAudit } from '../../identity/audit/setting-audit.ts'
import type { Context } from '../../kernel/context.ts'
import type { Input, Operation, Routes } from '../../kernel/operation.ts'

/**
 * The kinds of records that hold rights and credentials, with the properties that matter of those that hold more; an
 * event other than an update always matters.
 */
export const rightsKinds: Readonly<Record<string, readonly string[] | 'all'>> = {
  AccessControl: 'all',
  AccessRole: 'all',
  ApiKey: 'all',
  EntraMeta: 'all',
  OAuthClient: 'all',
  UserIdentity: 'all',
  Tenant: ['status', 'operating', 'quotas', 'domains'],
  User: ['role', 'superAdmin', 'active', 'locked', 'kind', 'email', 'login', 'externalId'],
  UserGroup: ['members', 'owners', 'parentId', 'roles'],
}

/** The paths below which operations change rights, credentials and settings of security. */
const rightsPaths = [
  '/access-control',
  '/admin/api-key',
  '/admin/setting',
  '/batch',
  '/change',
  '/config/apply',
  '/container/:id/member',
  '/entra-meta',
  '/oauth-client',
  '/session',
  '/tenant',
  '/user',
  '/user-group',
  '/user-identity',
]

const isExport = (path: string) => path.endsWith('/export')

/** Whether an operation writes the changes of rights that it makes into the audit log. */
export function changesRights(route: string, { mode }: Operation): boolean {
  const [, path = ''] = route.split(' ')
  return mode !== 'read' && rightsPaths.some(each => path === each || path.startsWith(`${each}/`))
}

/** Returns the routes, of which exports, break-glass and changes of rights write entries of the audit log. */
export function audited(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([route, operation]) => {
      const [, path = ''] = route.split(' ')
      if (route === 'POST /item/:id/break-glass') return [route, auditedBy(operation, recordBreakGlass)]
      if (isExport(path)) return [route, auditedBy(operation, ctx => recordExport(ctx, route))]
      return [route, changesRights(route, operation) ? auditedBy(operation, recordRights) : operation]
    }),
  )
}

type Entry = (ctx: Context, input: Input) => Promise<void>

/** The entry is part of the transaction of the change; an export is in the log before its first byte is sent. */
function auditedBy(operation: Operation, write: Entry): Operation {
  return {
    ...operation,
    mode: operation.mode === 'single' ? 'write' : operation.mode,
    async run(ctx, input) {
      const reply = await operation.run(ctx, input)
      await write(ctx, input)
      return reply
    },
  }
}

const recordRights: Entry = async ctx => {
  await appendRightsAudit(ctx, rightsKinds)
  await appendSettingAudit(ctx)
}

const recordBreakGlass: Entry = async (ctx, { params, body }) => {
  const { reason } = body as { reason: string }
  const entry = { action: 'breakGlass', reason, recordKind: 'Item', changeSetId: ctx.changeSet } as const
  await appendAudit(ctx, { ...entry, recordId: params.id?.toLowerCase() ?? '' })
}

async function recordExport(ctx: Context, route: string): Promise<void> {
  await appendAudit(ctx, { action: 'export', reason: route })
}
