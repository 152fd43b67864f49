import { Keys } from '../../kit/kit.tsx'
import { usePreferences } from '../data/session/preferences.ts'
import { useCommands } from './commands.ts'
import { keysOf } from './keymap.ts'

/** The keys of a command, as this person has them. */
export function CommandKeys({ id }: { id: string }) {
  const command = useCommands(state => state.commands.get(id))
  const keys = keysOf(command ?? { id }, usePreferences())
  return keys ? <Keys keys={keys} /> : null
}
