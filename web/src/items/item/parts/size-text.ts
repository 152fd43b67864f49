import { number } from '../../../kernel/messages/messages.ts'

const units = ['B', 'kB', 'MB', 'GB']

/** `1843200` → `1.8 MB` */
export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1000 ** step
  return `${number(step === 0 || value >= 100 ? Math.round(value) : Math.round(value * 10) / 10)} ${units[step]}`
}
