import type { Context } from '../../kernel/context.ts'
import { type Id, isId, newId } from '../../kernel/id.ts'
import { UnsealFailed } from '../../platform/secrets.ts'

// A suggestion is what somebody was offered and did while they wrote one request. Its sealed token is all that a visitor needs: it names the
// suggestion and its tenant, and ends after a day. What is counted is stored once for each suggestion and article.

const sealing = 'suggestion'
const lifetime = 24 * 3_600_000

interface Suggestion {
  id: Id
  session: string
}

/** Begins a suggestion; `asked` says whether it is for a request. */
export async function beginSuggestion(ctx: Context, asked: boolean): Promise<Suggestion> {
  const { tenantId } = ctx.caller
  const id = newId()
  await ctx.sql`insert into suggestion (tenant_id, id, begun, asked, user_id) values (${tenantId}, ${id}, ${ctx.now}, ${asked}, ${accountOf(ctx)})`
  const expires = ctx.now.getTime() + lifetime
  return { id, session: ctx.services.secrets.sealText(sealing, [tenantId, id, expires].join('.')) }
}

/** Finds the suggestion of a token; undefined if it is not one of the caller's, or too old. */
export async function findSuggestion(ctx: Context, session: string): Promise<Suggestion | undefined> {
  const { tenantId } = ctx.caller
  const id = idIn(ctx, session)
  if (!id) return undefined
  const [known] = await ctx.sql`select 1 from suggestion
    where tenant_id = ${tenantId} and id = ${id} and user_id is not distinct from ${accountOf(ctx)}::uuid`
  return known && { id, session }
}

/** The newest suggestion of a caller with an account that has not ended: what they say without a session is about it. */
export async function latestSuggestion(ctx: Context): Promise<Suggestion | undefined> {
  const { tenantId, userId } = ctx.caller
  const since = new Date(ctx.now.getTime() - lifetime)
  const [latest] = await ctx.sql<{ id: Id }>`select id from suggestion
    where tenant_id = ${tenantId} and user_id = ${userId} and begun > ${since} order by begun desc, id desc limit 1`
  return latest && { id: latest.id, session: '' }
}

function idIn(ctx: Context, session: string): Id | undefined {
  if (session === '' || session.length > 1000) return undefined
  try {
    const [tenantId, id = '', expires] = ctx.services.secrets.openText(sealing, session).split('.')
    return tenantId === ctx.caller.tenantId && isId(id) && Number(expires) > ctx.now.getTime() ? id : undefined
  } catch (error) {
    if (error instanceof UnsealFailed) return undefined
    throw error
  }
}

/** Visitors have no account; their ids mean nothing. */
const accountOf = ({ caller }: Context): Id | null => (caller.kind === 'guest' ? null : caller.userId)

/** Notes which articles were suggested; those that were before keep what is known of them. */
export async function noteOffered(ctx: Context, { id }: Suggestion, documentIds: readonly Id[]): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`update suggestion set asked = true where tenant_id = ${tenantId} and id = ${id} and not asked`
  await ctx.sql`insert into article_reading (tenant_id, suggestion_id, document_id, at)
    select ${tenantId}, ${id}, offered.id, ${ctx.now}::timestamptz from unnest(${documentIds}::uuid[]) offered(id)
    on conflict (tenant_id, suggestion_id, document_id) do nothing returning 1`
}

/** Notes that a visitor has filed the ticket after all. */
export async function noteFiled(ctx: Context, { id }: Suggestion): Promise<void> {
  await ctx.sql`update suggestion set filed = true where tenant_id = ${ctx.caller.tenantId} and id = ${id}`
}

/** Notes that an article was opened and, if so, whether it helped: the last answer counts, and only once. */
export async function noteOpened(ctx: Context, { id }: Suggestion, documentId: Id, helped?: boolean): Promise<void> {
  const { tenantId } = ctx.caller
  await ctx.sql`insert into article_reading as known (tenant_id, suggestion_id, document_id, at, opened_at, helped)
    values (${tenantId}, ${id}, ${documentId}, ${ctx.now}, ${ctx.now}, ${helped ?? null})
    on conflict (tenant_id, suggestion_id, document_id) do update
      set opened_at = coalesce(known.opened_at, excluded.opened_at), helped = coalesce(excluded.helped, known.helped)`
}
