import type { Context } from '../../kernel/context.ts'
import type { Id } from '../../kernel/id.ts'

/** Something that people are told in the application. */
export interface Telling {
  to: readonly Id[]
  text: string
  ruleId: Id
  itemId?: Id
  /** The event that people choose by whether they hear of it; that a rule tells something, if not said. */
  name?: string
}

type Inbox = (ctx: Context, telling: Telling) => Promise<void>

let inbox: Inbox = async () => {}

/** Where it is put: said once, by the room's inbox. */
export function tellingBy(own: Inbox): void {
  inbox = own
}

/** Tells people something, within the transaction. */
export async function tell(ctx: Context, telling: Telling): Promise<void> {
  if (telling.to.length > 0) await inbox(ctx, telling)
}
