/** The codes of `source`, where an item came from, that the service itself writes or reads. */
export const itemSource = { mail: 2, portal: 3, recurrence: 6, chat: 7 } as const
