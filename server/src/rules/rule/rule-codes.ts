/** When a rule is looked at; the codes of `trigger`. */
export const trigger = {
  event: 0,
  schedule: 1,
  clock: 2,
  manual: 3,
  mail: 4,
  call: 5,
  dateField: 6,
  inactivity: 7,
} as const

/** Whether a rule acts after the commit of a change, or before it; the codes of `mode`. */
export const mode = { afterCommit: 0, beforeCommit: 1 } as const
