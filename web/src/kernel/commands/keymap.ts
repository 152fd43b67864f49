import type { Preferences } from '../data/session/preferences.ts'
import type { KnownCommand } from './commands.ts'

/** The keys that a person has chosen; nothing else of the preferences counts here. */
export type Keymap = Pick<Preferences, 'keys' | 'singleKeys'>

/** Whether keys have a modifier that no letter needs: they count while somebody types, too. */
export const isChord = (keys: string): boolean => /\$mod|Control|Meta|Alt/.test(keys)

/** The keys that run a command for this person; undefined if there are none. */
export function keysOf({ id, keys }: Pick<KnownCommand, 'id' | 'keys'>, keymap: Keymap): string | undefined {
  const chosen = keymap.keys?.[id] ?? keys
  if (!chosen) return undefined
  return (keymap.singleKeys ?? true) || isChord(chosen) || isStanding(chosen) ? chosen : undefined
}

/** Keys that are no letters: nobody presses them by accident while speaking to a machine (WCAG 2.1.4). */
const isStanding = (keys: string) => /^(Escape|Enter|Space|Tab|Arrow\w+|Delete|Backspace|Home|End)$/.test(keys)

/** The command that has these keys already, in the same place or everywhere. */
export function rivalOf<C extends KnownCommand>(
  command: KnownCommand,
  keys: string,
  all: Iterable<C>,
  keymap: Keymap,
): C | undefined {
  return [...all].find(
    other =>
      other.id !== command.id &&
      (other.where === command.where || !other.where || !command.where) &&
      keysOf(other, keymap) === keys,
  )
}

/** The keys of an event, as commands write them; undefined for a modifier alone. */
export function keysOfEvent(
  event: Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>,
) {
  const { key, code, shiftKey, altKey, ctrlKey, metaKey } = event
  if (/^(Shift|Control|Alt|AltGraph|Meta|CapsLock|Dead|Process)$/.test(key)) return undefined
  const isLetter = /^\p{L}$/u.test(key)
  const name = key === ' ' ? 'Space' : isLetter ? key.toLowerCase() : key || code
  return [ctrlKey || metaKey ? '$mod' : '', altKey ? 'Alt' : '', shiftKey ? 'Shift' : '', name]
    .filter(Boolean)
    .join('+')
}
