import { mask } from '../../platform/secrets.ts'
import type { Reversal } from './reversal.ts'

/**
 * The properties whose undo would bring back a host to which the record does not send its secrets now. Secrets cannot be taken back:
 * those that were entered for the present host would be sent to the former one.
 */
export function hostsBroughtBack(record: object, { properties }: Reversal): string[] {
  if (!textsIn(record).some(({ text }) => text.endsWith(mask))) return []
  return [...properties].flatMap(([property, { from, to }]) => {
    const present = hostsIn(to)
    return hostsIn(from).some(host => !present.includes(host)) ? [property] : []
  })
}

/** The hosts in a value: of its addresses, and its properties `host`. */
function hostsIn(value: unknown): string[] {
  return textsIn(value).flatMap(({ name, text }) => {
    if (URL.canParse(text)) return [new URL(text).host.toLowerCase()]
    return name === 'host' && text !== '' ? [text.toLowerCase()] : []
  })
}

function textsIn(value: unknown, name = ''): { name: string; text: string }[] {
  if (typeof value === 'string') return [{ name, text: value }]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, key))
}
