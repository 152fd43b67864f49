import * as annotation from '../../desk/annotation/annotation-operations.ts'
import * as assignNext from '../../desk/assignment/assign-next-operation.ts'
import * as chat from '../../desk/chat/room-operations.ts'
import * as checklist from '../../desk/checklist/checklist-operations.ts'
import * as comment from '../../desk/comment/comment.ts'
import * as guestLink from '../../desk/guest/guest-link-operations.ts'
import * as merge from '../../desk/merge/merge-operations.ts'
import * as viewing from '../../desk/presence.ts'
import * as templateRun from '../../desk/template/template.ts'
import * as ticket from '../../desk/ticket/ticket-operations.ts'
import * as timeline from '../../desk/timeline.ts'
import * as watch from '../../desk/watch/watch-operations.ts'
import type { Routes } from '../../kernel/operation.ts'

/** Tickets and conversation. */
export const deskRoutes: Routes = {
  ...timeline.routes,
  ...annotation.routes,
  ...comment.routes,
  ...checklist.routes,
  ...ticket.routes,
  ...assignNext.routes,
  ...guestLink.routes,
  ...viewing.routes,
  ...merge.routes,
  ...chat.routes,
  ...watch.routes,
  ...templateRun.routes,
}
