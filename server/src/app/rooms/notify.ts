import type { Routes } from '../../kernel/operation.ts'
import * as hook from '../../notify/hook/hook-operations.ts'
import * as inbox from '../../notify/inbox/inbox-operations.ts'
import * as noise from '../../notify/noise/noise-operations.ts'
import * as notification from '../../notify/notification/notification-operations.ts'
import * as preference from '../../notify/preference/preference-operations.ts'

/** Notifications, inboxes and webhooks. */
export const notifyRoutes: Routes = {
  ...notification.routes,
  ...inbox.routes,
  ...preference.routes,
  ...noise.routes,
  ...hook.routes,
}
