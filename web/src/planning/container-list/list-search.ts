/** What the address of a list says. */
export interface ListSearch {
  /** Conditions, as `kernel/conditions/condition-text.ts` writes them. */
  where?: string
  /** Words that the items contain. */
  q?: string
  sort?: string
  /** The path by which items are grouped; `none` if they are not. */
  group?: string
  closed?: boolean
  /** The saved filter that the list began with. */
  filter?: string
}

/** Reads the parameters of an address; what is no such parameter is left out. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const text = (name: 'where' | 'q' | 'sort' | 'group' | 'filter') => {
    const value = search[name]
    return value === undefined || value === '' || typeof value === 'object' ? {} : { [name]: String(value) }
  }
  const closed = typeof search.closed === 'boolean' ? { closed: search.closed } : {}
  return { ...text('where'), ...text('q'), ...text('sort'), ...text('group'), ...text('filter'), ...closed }
}
