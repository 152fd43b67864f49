import { codeTableOfCodes } from '../records/code-table.ts'

/** The codes of `channel` of tickets and of `via` of annotations: how a message arrived. */
export const channel = { mail: 0, portal: 1, phone: 2, chat: 3, api: 4, social: 5 } as const
export const channels = codeTableOfCodes('ticket.channel', channel)
