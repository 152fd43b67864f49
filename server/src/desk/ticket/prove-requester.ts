import { customerOfPerson } from '../../finance/crm/crm.ts'
import { withSystemAuthority } from '../../identity/tenant-caller.ts'
import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'
import { getTicket } from './read-ticket.ts'
import { changeTicket } from './write-ticket.ts'

/**
 * Notes that the requester has the address that they stated: from now on the ticket is that of the user and of the customer who have it, if
 * there are any.
 */
export async function proveRequester(ctx: Context, itemId: Id): Promise<void> {
  const system = withSystemAuthority(ctx)
  const { requester, requesterId, crmId } = await getTicket(system, itemId, { anywhere: true })
  if (requesterId || !requester?.unproven) return
  const { unproven: _, ...known } = requester
  const customer = crmId || (await customerOfPerson(system, known))
  const patch = customer === crmId ? {} : { crmId: customer }
  await changeTicket(system, itemId, { item: { patch, warnings: [] }, facet: { requester: known } })
}
