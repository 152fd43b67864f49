import type { Seed, SeedBuilder } from './seed.ts'

/** The seeds of mail; see `seeds`. */
export const mailSeeds: Record<string, Seed> = {
  MailGeneral: b => ({
    domainStopList: [`${b.text()}.example`],
    mailRecipientDomains: [`${b.text()}.example`],
    trustedSenders: [`${b.text()}.example`],
    allowedAttachmentTypes: ['image/*'],
    loopQuotas: [{ scope: 0, count: 10, minutes: 10 }],
  }),
  Mailbox: (b, all) => ({
    address: `${b.text()}@example.com`,
    ...(all
      ? {
          imap: { host: `${b.text()}.invalid`, port: 993, security: 0, user: b.text(), folder: b.text() },
          smtp: { host: `${b.text()}.invalid`, port: 465, security: 0, user: b.text() },
          password: undefined, // never returned as it was sent
          smtpPassword: undefined,
          clientSecret: undefined,
          refreshToken: undefined,
          dkimKey: undefined,
          defaults: { priority: 1 },
        }
      : {}),
  }),
  MailMessage: async (b, _all, path) =>
    path.endsWith('/release')
      ? {}
      : {
          mailboxId: (await b.one('Mailbox')).id,
          raw: `From: a@example.com\r\nSubject: ${b.text()}\r\n\r\n${b.text()}`,
        },
  MailSuppression: b => ({ address: `${b.text()}@example.com` }),
}

/** Path parameters that name something else than a record; see `parameters`. */
export const mailParameters: Record<string, (builder: SeedBuilder) => Promise<string>> = {
  '/mail/outbound/:id': async b =>
    (await b.person.post(`/mail/mailbox/${(await b.one('Mailbox')).id}/send-test`, undefined)).id,
}
