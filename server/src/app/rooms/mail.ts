import type { Routes } from '../../kernel/operation.ts'
import * as mailGeneral from '../../mail/mail-general-operations.ts'
import * as mailMessage from '../../mail/mail-message/mail-message-operations.ts'
import * as mailSuppression from '../../mail/mail-suppression.ts'
import * as mailbox from '../../mail/mailbox/mailbox-operations.ts'
import * as outboundMail from '../../mail/outbound-mail/outbound-mail-operations.ts'

/** Mailboxes and mail in both directions. */
export const mailRoutes: Routes = {
  ...mailGeneral.routes,
  ...mailbox.routes,
  ...mailMessage.routes,
  ...outboundMail.routes,
  ...mailSuppression.routes,
}
