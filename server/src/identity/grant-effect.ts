/** The codes of a grant's `effect`. */
export const grantEffect = { allow: 0, deny: 1 } as const
