import type { Id } from '../../kernel/id.ts'

/** How somebody wants to be told of one kind of event, everywhere or in one container. */
export interface ChannelChoice {
  /** `item.assigned`; `*` is all events. */
  event: string
  /** Empty is everywhere. */
  containerId: string
  inbox: boolean
  mail: boolean
}

interface Channels {
  inbox: boolean
  mail: boolean
}

/**
 * Which ways news takes to somebody. What they said of the container counts before what they said of everywhere, of an
 * event before all events. An event of several names is told if one of them is wanted. Who says nothing hears all.
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
