import { type Id, isId } from '../../kernel/id.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'

/** A position in a tenant's log: after the event it names, or, with the nil id, before all events of a transaction. */
export interface LogPosition {
  /** The transaction number, as text because it exceeds the safe integers of JavaScript. */
  xact: string
  id: Id
}

export const zeroId: Id = '00000000-0000-0000-0000-000000000000'

/** Parses the `seq` of an event. */
export function parsePosition(text: unknown, parameter = 'after'): LogPosition | undefined {
  if (text === undefined || text === '') return undefined
  const [, xact = '', id = ''] = /^(\d{1,19})-(.+)$/.exec(String(text)) ?? []
  if (xact === '' || !isId(id)) throw new Invalid([fault([parameter], 'seq', 'must be the seq of an event', text)])
  return { xact: xact.replace(/^0+(?=\d)/, ''), id: id.toLowerCase() }
}

export function formatPosition({ xact, id }: LogPosition): string {
  return `${xact}-${id}`
}

/** Whether `a` comes after `b` in the log. */
export function isAfter(a: LogPosition, b: LogPosition): boolean {
  if (a.xact !== b.xact) return a.xact.length === b.xact.length ? a.xact > b.xact : a.xact.length > b.xact.length
  return a.id > b.id
}
