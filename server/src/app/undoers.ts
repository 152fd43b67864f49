import { undoUsers } from '../admin/user/undo-users.ts'
import { undoClocks } from '../clocks/clock/undo-clocks.ts'
import { undoContainerDeletion, undoContainers } from '../containers/container/undo-containers.ts'
import { undoLabelDeletion, undoLabels } from '../containers/label/undo-labels.ts'
import { undoAnnotations } from '../desk/annotation/undo-annotations.ts'
import { undoMerges } from '../desk/merge/undo-merge.ts'
import { undoSplit } from '../desk/merge/undo-split.ts'
import { undoTickets } from '../desk/ticket/undo-tickets.ts'
import { undoWatches } from '../desk/watch/undo-watches.ts'
import { undoContents, undoDocuments } from '../documents/document/undo-documents.ts'
import { undoStorages } from '../documents/storage/write-storage.ts'
import type { Undoers } from '../engine/undo/undo-change-set.ts'
import * as invoice from '../finance/invoice/invoice.ts'
import { undoItems } from '../items/undo/undo.ts'
import { undoMailboxes } from '../mail/mailbox/write-mailbox.ts'
import { undoMails, withTheirMails } from '../mail/outbound-mail/undo-mails.ts'
import { undoScenarios } from '../plan/scenario/undo-scenarios.ts'
import { undoApprovals } from '../rules/approval/undo-approvals.ts'
import * as timeClosing from '../time/closed/closing.ts'
import { undoTimes } from '../time/entry/undo-times.ts'
import { undoSheets } from '../time/sheet/undo-sheets.ts'
import { undoTimers } from '../time/timer/undo-timers.ts'
import { undoSample } from './sample/undo-sample.ts'

/** How the changes of each kind of record are undone. */
export const undoers: Undoers = {
  byKind: {
    Item: undoItems,
    User: undoUsers,
    Container: undoContainers,
    Label: undoLabels,
    Approval: undoApprovals,
    Annotation: withTheirMails(undoAnnotations),
    Ticket: undoTickets,
    Watch: undoWatches,
    Time: undoTimes,
    Timer: undoTimers,
    Timesheet: undoSheets,
    TimeClosing: timeClosing.undoClosing,
    OutboundMail: undoMails,
    Scenario: undoScenarios,
    Invoice: invoice.undoInvoices,
    Document: undoDocuments,
    DocumentContent: undoContents,
    OutboundStorage: undoStorages,
    Mailbox: undoMailboxes,
    Clock: undoClocks,
  },
  whole: [undoMerges, undoSplit, undoSample, undoContainerDeletion, undoLabelDeletion],
}
