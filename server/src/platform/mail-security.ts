/** The codes of `security` of a mail server: TLS from the start, an upgrade by STARTTLS, or no encryption. */
export const mailSecurity = { tls: 0, startTls: 1, none: 2 } as const
