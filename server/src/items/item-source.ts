/** The codes of `source`, the origin of an item, that the service itself writes or reads. */
export const itemSource = { mail: 2, portal: 3, import: 4, recurrence: 6, chat: 7 } as const
