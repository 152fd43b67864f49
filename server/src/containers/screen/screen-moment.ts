/** When a screen is shown. Append only. */
export const momentCodes = {
  all: 0,
  create: 1,
  edit: 2,
  view: 3,
  transition: 4,
  portal: 5,
  quickAdd: 6,
} as const

export const lastMoment = momentCodes.quickAdd
