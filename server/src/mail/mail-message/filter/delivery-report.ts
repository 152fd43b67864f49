import { plainAddress } from '../../address.ts'
import type { ParsedMail } from '../parsing/parsed-mail.ts'

/** A server's report on the delivery of a mail that we sent. */
export interface DeliveryReport {
  /** The Message-IDs in the returned mail. */
  messageIds: string[]
  recipients: { address: string; action: string; status: string; diagnostic: string }[]
}

/** Reads a delivery report (RFC 3464); undefined if the message is none. */
export function readDeliveryReport(mail: ParsedMail): DeliveryReport | undefined {
  if (!/^multipart\/report\b/.test(mail.contentType)) return undefined
  const part = (type: RegExp) => mail.attachments.filter(each => type.test(each.contentType))
  const status = part(/^message\/(global-)?delivery-status/i)
    .map(textOf)
    .join('\n\n')
  if (status === '') return undefined
  const recipients = status
    .split(/\r?\n\s*\r?\n/)
    .flatMap(group => {
      const says = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(group)?.[1]?.trim() ?? ''
      const address = /(?:^|;)\s*<?([^\s<>;]+@[^\s<>;]+?)>?\s*$/.exec(
        says('Final-Recipient') || says('Original-Recipient'),
      )?.[1]
      return address === undefined
        ? []
        : [
            {
              address: plainAddress(address),
              action: says('Action').toLowerCase(),
              status: says('Status'),
              diagnostic: says('Diagnostic-Code').slice(0, 300),
            },
          ]
    })
    .slice(0, 100)
  return { messageIds: [...new Set([...mail.returned, ...mail.answers])], recipients }
}

/** Whether the delivery failed permanently. */
export function isPermanent({ action, status }: { action: string; status: string }): boolean {
  return action === 'failed' && !status.startsWith('4')
}

function textOf({ content }: { content: Uint8Array }): string {
  return Buffer.from(content)
    .toString('utf8')
    .slice(0, 100_000)
    .replaceAll('\0', '')
    .replace(/\r?\n[ \t]+/g, ' ')
}
