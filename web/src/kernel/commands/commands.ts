import { create } from 'zustand'

/** Something that a person can do: the palette, the help, menus, tooltips and keys all read it from here. */
export interface Command {
  id: string
  /** The name, in the person's language. */
  title: string
  /** The keys, as tinykeys writes them: `c`, `g i`, `$mod+k`, `Shift+?`. A person can choose others. */
  keys?: string
  /** The part of the app where it counts; everywhere if undefined. */
  where?: string
  /** Whether it can be done now. */
  may?: () => boolean
  run: () => void | Promise<void>
}

/** What the help and the profile show of a command that is not offered at the moment. */
export type KnownCommand = Pick<Command, 'id' | 'title' | 'keys' | 'where'>

interface Registry {
  commands: ReadonlyMap<string, Command>
  /** Every command that was offered since the app was opened. */
  known: ReadonlyMap<string, KnownCommand>
}

export const useCommands = create<Registry>(() => ({ commands: new Map(), known: new Map() }))

/** Offers commands until the returned function is called. Two commands with the same key in the same place, or with the same name in two places, are a mistake of ours. */
export function offer(commands: readonly Command[]): () => void {
  useCommands.setState(registry => {
    const next = new Map(registry.commands)
    const known = new Map(registry.known)
    for (const command of commands) {
      const rival = [...next.values()].find(
        other => other.keys && other.keys === command.keys && other.where === command.where && other.id !== command.id,
      )
      if (rival) throw new Error(`${rival.id} and ${command.id} have the same key ${command.keys}`)
      const other = next.get(command.id)
      if (other && other.where !== command.where)
        throw new Error(`${command.id} is offered in ${other.where} and in ${command.where}`)
      next.delete(command.id) // What was offered last stands last, and wins.
      next.set(command.id, command)
      known.set(command.id, command)
    }
    return { commands: next, known }
  })
  return () =>
    useCommands.setState(({ commands: offered }) => {
      const next = new Map(offered)
      // The same command may have been offered anew in the meantime.
      for (const command of commands) if (next.get(command.id) === command) next.delete(command.id)
      return { commands: next }
    })
}

export const isPossible = (command: Command): boolean => command.may?.() ?? true

export const run = (command: Command): void => {
  if (isPossible(command)) void command.run()
}

/** A command if it is offered and can be done now; a button that has none is not shown. */
export const usePossible = (id: string): Command | undefined =>
  useCommands(({ commands }) => {
    const command = commands.get(id)
    return command && isPossible(command) ? command : undefined
  })
