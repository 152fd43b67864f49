import { redaction } from '../containers/redaction/redaction.ts'
import { itemParts } from '../desk/card/card.ts'
import { copyChecklists } from '../desk/checklist/copy-checklists.ts'
import { countReopenings } from '../desk/ticket/reopen.ts'
import { storedBytes } from '../documents/storage/storage.ts'
import { runSavedReport } from '../insight/saved/saved-table.ts'
import { conditionFindings } from '../items/condition-findings/condition-findings.ts'
import { itemRowRules } from '../items/row-rules.ts'
import type { Services } from '../kernel/context.ts'
import { mailableAmong } from '../mail/outbound-mail/sending-server.ts'
import { warnOfMailLimit } from '../notify/warning/warning.ts'
import { allocationsFollow } from '../plan/allocation/follow-items.ts'
import { dependentDates } from '../plan/schedule/dependent-dates.ts'
import { openBlobs } from '../platform/bytes/blobs.ts'
import { openThumbs } from '../platform/bytes/thumbs.ts'
import { openUploadParts } from '../platform/bytes/upload-parts.ts'
import { openTransfers } from '../platform/outbound/transfers.ts'
import { maxUnpaged } from '../platform/requests/list-limit.ts'
import { openSecrets, type Secrets } from '../platform/secrets.ts'
import { outboundRules, type Settings } from '../platform/settings.ts'
import { rulesBeforeCommit } from '../rules/rule/engine/before-commit.ts'
import { applyRulesToMail } from '../rules/rule/triggers/arriving-mail.ts'
import { invoicedTime } from '../time/invoiced-time.ts'

/**
 * The services that lower layers need from higher ones, in the order of use. The live stream is not among them: only a
 * process that answers requests has one.
 */
export function openServices(settings: Settings, secrets: Secrets = openSecrets(settings)): Omit<Services, 'live'> {
  return {
    baseUrl: settings.baseUrl,
    secrets,
    blobs: openBlobs(settings),
    outboundRules: outboundRules(settings),
    storedBytes,
    thumbs: openThumbs(settings),
    uploadParts: openUploadParts(settings),
    transfer: openTransfers(outboundRules(settings)),
    pdfFont: settings.pdfFont,
    redaction,
    maxUnpaged,
    rowRules: itemRowRules,
    conditionFindings,
    itemParts,
    interventions: [rulesBeforeCommit],
    consequences: [countReopenings, allocationsFollow],
    itemCopyListeners: [copyChecklists],
    dependentDates,
    mailableAmong,
    mailRules: [applyRulesToMail],
    onMailLimit: warnOfMailLimit,
    runSavedReport,
    invoicedTime,
  }
}
