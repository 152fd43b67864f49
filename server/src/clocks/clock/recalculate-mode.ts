/**
 * What a change of a clock counts again: nothing (what is left goes by the new hours), the cycles that are not finished,
 * or the finished ones as well. The codes are stored with each version of a clock's hours.
 */
export const recalculateMode = { keep: 0, open: 1, all: 2 } as const
