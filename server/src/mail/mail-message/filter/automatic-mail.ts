import { header, type ParsedMail } from '../parsing/parsed-mail.ts'

// Recognizes mail that a machine sent, which must not be answered.

/** Why a message counts as sent by a machine; undefined if a person may have written it. */
export function automaticReason(mail: ParsedMail): string | undefined {
  const says = (name: string) => header(mail, name).join(' ').toLowerCase()
  const submitted = says('auto-submitted')
  if (submitted !== '' && !submitted.startsWith('no')) return `Auto-Submitted: ${submitted}`
  const precedence = says('precedence')
  if (/\b(bulk|list|junk|auto_reply)\b/.test(precedence)) return `Precedence: ${precedence}`
  const list = ['list-id', 'list-post', 'list-unsubscribe', 'list-help'].find(name => says(name) !== '')
  if (list) return `${list}: a list`
  const loop = ['x-autoreply', 'x-autorespond', 'x-auto-respond', 'x-loop', 'x-autoresponder'].find(
    name => says(name) !== '',
  )
  if (loop) return `${loop}: ${says(loop)}`
  const suppress = says('x-auto-response-suppress')
  if (/\b(all|oof|autoreply)\b/.test(suppress)) return `X-Auto-Response-Suppress: ${suppress}`
  if (header(mail, 'return-path').some(each => /^<\s*>$/.test(each))) return 'an empty Return-Path'
  if (/^(mailer-daemon|postmaster|no-?reply|do-?not-?reply)@/i.test(mail.from?.address ?? ''))
    return `from ${mail.from?.address}`
  return outOfOffice.test(mail.subject) ? 'an out-of-office subject' : undefined
}

const outOfOffice =
  /^\s*(re:|aw:)?\s*(auto(matic)?[ -]?(reply|response|answer)|out of (the )?office|abwesenheit|automatische antwort|r[ée]ponse automatique|respuesta autom[áa]tica|risposta automatica)\b/i
