import type { Context } from '../../kernel/context.ts'
import { NotFound } from '../../kernel/refusal.ts'
import { UnsealFailed } from '../../platform/secrets.ts'

/** What a row of an answer was computed from: the report or the query, and the time at which it was asked. */
export interface DrillSubject {
  /** The name of a report, or `query`. */
  of: string
  body: unknown
  now: string
}

/** Addresses can be longer, but some programs cut them. */
const maxLength = 1900
const purpose = 'insight-drill'

/**
 * Makes the tokens of an answer: one for each row, by the key of its group. They contain the request and none of its results, are
 * sealed for the tenant, and give no rights: whoever uses one sees the records that they may see then. Undefined if the
 * request is too long for an address.
 */
export function drillTokens(ctx: Context, subject: Omit<DrillSubject, 'now'>): ((key: string) => string) | undefined {
  const { tenantId } = ctx.caller
  const text = JSON.stringify({ ...subject, now: ctx.now.toISOString() })
  if (text.length > maxLength) return undefined // sealed it is longer still
  const sealed = ctx.services.secrets.sealFor(tenantId, tenantId, purpose, text).toString('base64url')
  return sealed.length > maxLength ? undefined : key => `${sealed}.${key}`
}

/** Reads a token of the caller's tenant; any other text is an address that does not exist. */
export function readDrillToken(ctx: Context, token: string): { subject: DrillSubject; key: string } {
  const { tenantId } = ctx.caller
  const [sealed = '', key = ''] = token.split('.')
  if (!/^[\w-]{0,64}$/.test(key)) throw new NotFound()
  try {
    const text = ctx.services.secrets.openFor(tenantId, tenantId, purpose, Buffer.from(sealed, 'base64url'))
    return { subject: JSON.parse(text), key }
  } catch (error) {
    if (error instanceof UnsealFailed) throw new NotFound()
    throw error
  }
}
