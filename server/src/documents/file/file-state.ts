/** The codes of a file's `state`. */
export const fileState = { uploading: 0, scanning: 1, ready: 2, quarantined: 3 } as const
