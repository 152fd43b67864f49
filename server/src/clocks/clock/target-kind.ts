/** The codes of a target's `kind`. */
export const targetKind = {
  custom: 0,
  firstResponse: 1,
  nextResponse: 2,
  update: 3,
  resolution: 4,
  requesterWait: 5,
  agentWork: 6,
} as const

const knownKinds: ReadonlySet<number> = new Set(Object.values(targetKind))

export const isTargetKind = (code: number) => knownKinds.has(code)
