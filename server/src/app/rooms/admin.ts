import * as accessControl from '../../admin/access-control/access-control.ts'
import * as accessRole from '../../admin/access-control/access-role.ts'
import * as accessExplain from '../../admin/access-control/explain.ts'
import * as apiKey from '../../admin/api-key.ts'
import * as auditLog from '../../admin/audit-log.ts'
import * as entraMeta from '../../admin/entra-meta/entra-meta-operations.ts'
import * as oauthClient from '../../admin/oauth-client/oauth-client-operations.ts'
import * as rate from '../../admin/rate/rate.ts'
import * as appSetting from '../../admin/setting/app-setting.ts'
import { tenantRoutes } from '../../admin/tenant/tenant-operations.ts'
import * as userInvitation from '../../admin/user/invitation/invitation.ts'
import * as userConsent from '../../admin/user/sign-in/consent-operations.ts'
import * as passkey from '../../admin/user/sign-in/passkey-operations.ts'
import * as userPassword from '../../admin/user/sign-in/password.ts'
import * as secondFactor from '../../admin/user/sign-in/second-factor-operations.ts'
import * as secondFactorState from '../../admin/user/sign-in/second-factor-state.ts'
import * as userSession from '../../admin/user/sign-in/session-operations.ts'
import * as user from '../../admin/user/user-operations.ts'
import * as userGroup from '../../admin/user-group/user-group-operations.ts'
import * as userIdentity from '../../admin/user-identity.ts'
import * as userLeaving from '../../admin/user-leaving.ts'
import * as calendarFeed from '../../identity/calendar-feed/calendar-feed.ts'
import type { Routes } from '../../kernel/operation.ts'
import * as sample from '../sample/sample.ts'
import { seedTenant } from '../seed-tenant.ts'

/** Tenants, people, rights, keys, settings and the sample company. */
export const adminRoutes: Routes = {
  ...tenantRoutes(seedTenant),
  ...sample.routes,
  ...user.routes,
  ...userPassword.routes,
  ...secondFactor.routes,
  ...passkey.routes,
  ...secondFactorState.routes,
  ...userSession.routes,
  ...userConsent.routes,
  ...calendarFeed.routes,
  ...userInvitation.routes,
  ...userLeaving.routes,
  ...userGroup.routes,
  ...accessControl.routes,
  ...accessRole.routes,
  ...accessExplain.routes,
  ...apiKey.routes,
  ...oauthClient.routes,
  ...appSetting.routes,
  ...auditLog.routes,
  ...entraMeta.routes,
  ...userIdentity.routes,
  ...rate.routes,
}
