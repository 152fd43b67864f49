import type { Id } from '../../kernel/id.ts'

/** The channels that a user chose for one kind of event, everywhere or in one container. */
export interface ChannelChoice {
  /** The name of an event, such as `item.assigned`; `*` means all events. */
  event: string
  /** Empty means everywhere. */
  containerId: string
  inbox: boolean
  mail: boolean
}

interface Channels {
  inbox: boolean
  mail: boolean
}

/**
 * Returns the channels for an event. A choice for the container precedes a general one, and a choice for the event precedes
 * `*`. An event with several names uses a channel if the choice for one of them does. Without a choice both channels are used.
 */
export function channelsFor(
  choices: readonly ChannelChoice[],
  names: readonly string[],
  containerId: Id | '',
): Channels {
  const found = names.map(name => choiceFor(choices, name, containerId))
  return { inbox: found.some(each => each.inbox), mail: found.some(each => each.mail) }
}

function choiceFor(choices: readonly ChannelChoice[], name: string, containerId: Id | ''): Channels {
  for (const place of new Set([containerId, '']))
    for (const event of [name, '*']) {
      const choice = choices.find(each => each.event === event && each.containerId === place)
      if (choice) return choice
    }
  return { inbox: true, mail: true }
}
