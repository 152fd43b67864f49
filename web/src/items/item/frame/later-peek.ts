import { later } from '../../../kernel/later.tsx'

/** The peek, whose code is fetched after the list beside it. */
export const ItemPeek = later(async () => (await import('./item-peek.tsx')).ItemPeek)
