/** The codes of a container's `kind`. */
export const containerKind = { project: 0, desk: 1, product: 2, internal: 3 } as const
