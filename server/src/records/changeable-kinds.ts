import { allKinds, type Kind } from '../kernel/kinds.ts'

/** The kinds whose records nobody changes after they were written, not even to follow the records that they name. */
const appendOnly: ReadonlySet<string> = new Set(['AuditEntry'])

/** The kinds whose records follow when what they name is replaced or forgotten. */
export function changeableKinds(): Kind[] {
  return allKinds().filter(({ entity }) => !appendOnly.has(entity))
}
