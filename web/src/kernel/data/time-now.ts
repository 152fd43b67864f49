/** The time of this browser in milliseconds since 1970; it does not jump when the clock of the machine is set. */
export const timeNow = (): number => performance.timeOrigin + performance.now()
