/** The container that every new workspace has, and that teaches by doing. */
export const startKey = 'START'
