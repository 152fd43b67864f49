import { Type } from 'typebox'
import { seesEverything } from '../../identity/visibility.ts'
import { visibleItems } from '../../items/item/item.ts'
import { type Caller, staff } from '../../kernel/access.ts'
import type { Stored } from '../../kernel/record/record.ts'
import { resource } from '../../kernel/resource.ts'
import { Count, Part, Parts, Ref, Text } from '../../kernel/schema/values.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { senderProof } from './authenticity/authenticity.ts'

/** 0 not processed yet · 1 a new ticket · 2 part of a ticket · 3 in quarantine · 4 dropped · 5 a delivery report · 6 failed. */
export const outcome = {
  pending: 0,
  created: 1,
  appended: 2,
  quarantined: 3,
  dropped: 4,
  report: 5,
  failed: 6,
} as const

const shape = {
  mailboxId: Ref('Mailbox'),
  messageId: Text(998),
  sender: Text(254),
  subject: Text(500),
  size: Count(),
  outcome: Code(codeTableOfCodes('mailMessage.outcome', outcome), {
    description:
      '0 not processed yet · 1 a new ticket · 2 part of a ticket · 3 in quarantine · 4 dropped · 5 a delivery report · 6 failed.',
  }),
  reason: Text(1000),
  authenticity: Part({
    verdict: Code(codeTableOfCodes('mailMessage.verdict', senderProof), {
      description:
        'Whether it is from its stated sender: 0 unknown · 1 proven · 2 not proven, so it is treated as a stranger’s.',
    }),
    spf: Text(20),
    dkim: Text(20),
    dmarc: Text(20),
    policy: Text(20),
    domain: Text(253),
    by: Text(253),
  }),
  steps: Parts({ step: Text(40), note: Text(500) }, ['step'], 50),
  itemId: Ref('Item'),
  annotationId: Ref('Annotation'),
  attempts: Count(),
  archived: Type.Boolean({
    description: 'Imported from the archive of the mailbox: it keeps its date, and nobody is answered.',
  }),
}

export type MailMessage = Stored<typeof shape>

/** An incoming message, and its result. */
export const mailMessages = resource('MailMessage', {
  about:
    'A message that arrived through a mailbox, with its processing steps and its outcome: a new ticket, a part of a ticket, or a refusal with its reason.',
  shape,
  required: ['mailboxId'],
  serverSet: keysOf(shape).filter(each => each !== 'mailboxId'),
  may: { read: staff },
  visible: whoSees,
  order: 'created',
})

/** A caller who sees the ticket sees its messages; messages that became no ticket are visible to those who see everything. */
function whoSees(caller: Caller, t: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  const i = raw('about')
  return sql`exists (select 1 from item ${i} where ${i}.tenant_id = ${caller.tenantId} and ${i}.id = ${t}.item_id and not ${i}.deleted
    and ${visibleItems(caller, i)} and ${i}.requester_id is distinct from ${caller.userId}::uuid)`
}
