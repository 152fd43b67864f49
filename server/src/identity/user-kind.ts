/** The codes of a user's `kind`; requesters are from outside the organisation. */
export const userKind = { staff: 0, requester: 1, service: 2, placeholder: 3, agent: 4 } as const
