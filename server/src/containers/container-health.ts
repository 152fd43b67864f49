import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of a container's `health`, from the best to the worst. */
export const containerHealth = { onTrack: 0, atRisk: 1, offTrack: 2 } as const
export const healths = codeTableOfCodes('container.health', containerHealth)
