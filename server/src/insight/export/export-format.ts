import { keysOf } from '../../records/references/keys-of.ts'

/** The formats of exports by their media types. */
export const exportFormats = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

export type ExportFormat = keyof typeof exportFormats

/** The format that a caller prefers to JSON; undefined if they accept JSON as well or name no format. */
export function formatFor(accept: unknown): ExportFormat | undefined {
  if (typeof accept !== 'string' || accept.length > 1000) return undefined
  const asked = accept.split(',').map(readPreference)
  const best = (type: string) => Math.max(0, ...asked.filter(each => each.type === type).map(each => each.weight))
  const found = keysOf(exportFormats)
    .map(format => ({ format, weight: best(exportFormats[format]) }))
    .sort((a, b) => b.weight - a.weight)[0]
  return found && found.weight > 0 && found.weight >= best('application/json') ? found.format : undefined
}

function readPreference(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map(each => each.trim().toLowerCase())
  const weight = parameters.find(each => each.startsWith('q='))?.slice(2)
  return { type, weight: weight === undefined ? 1 : Number(weight) || 0 }
}
