import { useLayoutEffect } from 'react'
import { tinykeys } from 'tinykeys'
import { usePreferences } from '../data/session/preferences.ts'
import { type Command, isPossible, offer, run, useCommands } from './commands.ts'
import { isChord, keysOf } from './keymap.ts'

/** Listens to the keys of all commands that are offered, as this person has them. */
export function useKeys(): void {
  const commands = useCommands(state => state.commands)
  const keymap = usePreferences()
  // Before the paint: a person who sees a page can use its keys.
  useLayoutEffect(() => {
    const bound = [...commands.values()].flatMap((command): Bound[] => {
      const [first = '', last] = (keysOf(command, keymap) ?? '').split(' ')
      if (first === '') return []
      return [last === undefined ? { command, last: first } : { command, first, last }]
    })
    const bindings = [...Map.groupBy(bound, each => each.last)].map(
      ([last, those]) => [last, onPress(last, those)] as const,
    )
    const stopWatching = watchSequences()
    const stop = tinykeys(window, Object.fromEntries(bindings))
    return () => {
      stop()
      stopWatching()
    }
  }, [commands, keymap])
}

/** Offers commands while a component is shown. */
export function useOffer(commands: readonly Command[]): void {
  useLayoutEffect(() => offer(commands), [commands])
}

/** A command with its key, or with the second of two keys: the binding of the pair would be lost when commands change between them. */
interface Bound {
  command: Command
  first?: string
  last: string
}

const onPress = (last: string, bound: readonly Bound[]) => (event: KeyboardEvent) => {
  const { target } = event
  if (event.defaultPrevented || !(target instanceof Element)) return
  if (isTyping(target) && (!isChord(last) || ofText.has(last))) return
  if (!isChord(last) && target.closest('[role=dialog]:not([data-where]),[role=menu],[role=listbox]')) return
  if (/^(Enter|Space)$/.test(last) && target.closest('a,button,summary,[role=button],[role=checkbox],[role=tab]'))
    return
  // The I of `g i` is no I of its own.
  const pairs = bound.filter(({ first }) => first !== undefined && first === previousKey)
  const meant = pairs.length > 0 ? pairs : bound.filter(({ first }) => first === undefined)
  const place = target.closest('[data-where]')?.getAttribute('data-where')
  const { command } = meant.find(({ command: { where } }) => where && where === place) ?? meant.at(-1) ?? {}
  if (!command || !isPossible(command)) return
  event.preventDefault()
  run(command)
}

function isTyping(target: Element): boolean {
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|button|submit|file)$/.test(target.type)
  return (target instanceof HTMLElement && target.isContentEditable) || /^(TEXTAREA|SELECT)$/.test(target.tagName)
}

/** While somebody types, these are the browser's. */
const ofText = new Set(['$mod+z', '$mod+Shift+z', '$mod+a', '$mod+b', '$mod+i'])

const sequenceTime = 1000 // ms, as tinykeys has it
let previousKey = ''
let pressed = { key: '', at: 0 }

function watchSequences(): () => void {
  const watch = ({ key, timeStamp }: KeyboardEvent) => {
    previousKey = timeStamp - pressed.at < sequenceTime ? pressed.key : ''
    pressed = { key, at: timeStamp }
  }
  window.addEventListener('keydown', watch, { capture: true })
  return () => window.removeEventListener('keydown', watch, { capture: true })
}
