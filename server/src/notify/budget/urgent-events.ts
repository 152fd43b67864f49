import type { triggerEvent } from '../trigger-event.ts'

// Which mails wait for a digest when the budget of their reader is used up is decided by their source:
//
// | mail | waits | why |
// |---|---|---|
// | about the inbox | yes, without the events below | its content is in the inbox at once |
// | of a notification | yes | it reports a list at a time that nobody waits for |
// | of a rule | yes, unless one of the events below triggered it | most floods come from rules |
// | of a rule to the requester of its item, or to a requester | no | it is part of a conversation that they wait for |
// | warning | no | something that works unattended has failed; each failure is reported once |
// | reply, automatic reply, question about satisfaction | no | part of a conversation with the requester |
// | password, test of a mailbox | no | the reader has just asked for it |
//
// Requests for approvals have no deadline, so they wait like other messages.

/** The events that are mailed whatever the budget: a target is missed, or will be before the next morning. */
const urgentEvents: readonly (keyof typeof triggerEvent)[] = ['clock.red', 'clock.breached']

/** Whether an event must be mailed at once. */
export const isUrgent = (event: string): boolean => urgentEvents.some(each => each === event)
