// Each column scrolls by itself and knows its cards; a key only says which card has to be seen.

const scrolls = new Map<string, (id: string) => void>()

export function offerScroll(column: string, scroll: (id: string) => void): () => void {
  scrolls.set(column, scroll)
  return () => {
    if (scrolls.get(column) === scroll) scrolls.delete(column)
  }
}

export const scrollToCard = (column: string, id: string): void => scrolls.get(column)?.(id)
