import type { Operation } from '../../kernel/operation.ts'

// An operation in a batch may only do what its transaction can take back. These are the areas whose writes are rows of the
// tenant; calls to the outside are queued in the transaction and made after its commit.
const areas =
  /^\/(annotation|area|board|chat|checklist-entry|clock|constraint|container|content-template|cycle|docs\/doc|docs\/folder|field|finance|item|label|link|link-type|notification|plan|process|rule|screen|ticket|time|user|user-group|watch)(\/|$)/

/** Sign-in and what belongs to it, calls that are tried at once, and what is counted or stored outside of the transaction. */
const others =
  /^\/user\/me(\/|$)|\/(invite|invitation|password|session|second-factor|passkey|identity|test|preview|run|call|dry-run|break-glass|raw|export|import|stream|bulk)(\/|$)|^\/time\/timer(\/|$)|^\/notification\/inbox(\/|$)/

/** Why an operation cannot take part in a batch; undefined if it can. */
export function reasonAgainst(route: string, { form, body, unrepeatable }: Operation): string | undefined {
  const path = route.slice(route.indexOf(' ') + 1)
  if (form) return 'it receives a file'
  if (unrepeatable) return 'its answer contains a secret'
  if (body?.limit) return 'it is a call of many rows, which are stored one by one'
  if (!areas.test(path) || others.test(path)) return 'a transaction cannot take back what it does'
  return undefined
}
