import { codeTable } from '../../records/code-table.ts'

/** The codes of `trigger`. */
export const trigger = {
  event: 0,
  schedule: 1,
  clock: 2,
  manual: 3,
  mail: 4,
  call: 5,
  dateField: 6,
  inactivity: 7,
} as const

export const triggers = codeTable('trigger', {
  event: [trigger.event, 'When something happens'],
  schedule: [trigger.schedule, 'At set times'],
  clock: [trigger.clock, 'When a business clock reaches a threshold'],
  manual: [trigger.manual, 'When somebody asks for it'],
  inboundMail: [trigger.mail, 'When a mail comes in'],
  inboundCall: [trigger.call, 'When its address is called'],
  dateField: [trigger.dateField, 'Some time before or after a date'],
  inactivity: [trigger.inactivity, 'When nothing has changed for some time'],
})

/** The codes of `mode`: whether a rule acts after the commit of a change, or before it. */
export const mode = { afterCommit: 0, beforeCommit: 1 } as const
