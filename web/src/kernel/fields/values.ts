import { dayOf } from '../dates/day-input.ts'
import { dayText } from '../dates/days.ts'
import { durationOf, durationText } from '../dates/durations.ts'
import { instantAt, wallClock } from '../dates/moments.ts'
import { numberFormat } from '../messages/formatters.ts'
import { language } from '../messages/messages.ts'
import type { FieldChoice, FieldType, FieldTypeName, Property } from './field-type.ts'
import { isEmpty } from './field-type.ts'
import { say } from './messages.ts'

// How the values of each type are read from what people type, and printed.

type Text = Pick<FieldType, 'parse' | 'print'>

const plain: Text = {
  parse: text => text.trim(),
  print: value => (isEmpty(value) ? '' : String(value)),
}

/** A decimal as people of both languages write it: `1.234,5`, `1,234.5`, `0,5`. The last sign of two is the decimal one. */
export function decimalOf(text: string): number | undefined {
  const given = text
    .trim()
    .replace(/[\s’'_]/g, '')
    .replace('−', '-')
  if (!/^[+-]?[\d.,]*\d[\d.,]*$/.test(given)) return undefined
  const last = Math.max(given.lastIndexOf('.'), given.lastIndexOf(','))
  const isGrouping =
    last >= 0 && /^[+-]?\d{1,3}([.,]\d{3})+$/.test(given) && (given.match(/[.,]/g) ?? []).length > 1 && sameSigns(given)
  const whole = isGrouping || last < 0 ? given : given.slice(0, last)
  const part = isGrouping || last < 0 ? '' : given.slice(last + 1)
  const value = Number(`${whole.replace(/[.,]/g, '')}${part && `.${part}`}`)
  return Number.isFinite(value) ? value : undefined
}

const sameSigns = (text: string) => new Set(text.match(/[.,]/g)).size === 1

const inRange = (value: number | undefined, { min, max }: Property): number | undefined =>
  value === undefined || value < (min ?? -Infinity) || value > (max ?? Infinity) ? undefined : value

const figure: Text = {
  parse: (text, property) => inRange(decimalOf(text), property),
  print: (value, { precision }) =>
    typeof value === 'number'
      ? numberFormat(language(), { maximumFractionDigits: precision ?? 6, useGrouping: false }).format(value)
      : '',
}

interface Money {
  amount: number | string
  currency: string
}

const isMoney = (value: unknown): value is Money => typeof value === 'object' && value !== null && 'amount' in value

const money: Text = {
  parse: (text, property) => {
    const [, before, amount = '', after] =
      /^([A-Za-z]{3})?\s*([^A-Za-z]+?)\s*([A-Za-z]{3}|€|\$|£)?$/.exec(text.trim()) ?? []
    const named = before ?? (after && ({ '€': 'EUR', $: 'USD', '£': 'GBP' }[after] ?? after))
    const value = inRange(decimalOf(amount), property)
    const currency = (named ?? property.currency ?? '').toUpperCase()
    return value === undefined || currency === '' ? undefined : { amount: String(value), currency }
  },
  print: value => (isMoney(value) ? moneyText(value) : ''),
}

function moneyText({ amount, currency }: Money): string {
  return numberFormat(language(), { style: 'currency', currency, currencyDisplay: 'code' })
    .format(Number(amount))
    .replace(/ /g, ' ')
}

const duration: Text = {
  parse: (text, property) => inRange(durationOf(text), property),
  print: value => (typeof value === 'number' && value !== 0 ? durationText(value, String) : ''), // what is printed is also edited,
}

const date: Text = {
  parse: (text, _, { today }) => dayOf(text, today),
  print: (value, _, { today }) => (typeof value === 'string' && value ? dayText(value, today) : ''),
}

const moment: Text = {
  parse: (text, _, { timezone, today }) => {
    const [, words = '', time = '9:00'] = /^(.*?)\s*(\d{1,2}:[0-5]\d)?$/.exec(text.trim()) ?? []
    const day = dayOf(words === '' ? 'today' : words, today)
    return day === undefined || Number(time.split(':')[0]) > 23 ? undefined : instantAt(day, time, timezone)
  },
  print: (value, _, { timezone, today }) => {
    if (typeof value !== 'string' || !value) return ''
    const { day, time } = wallClock(value, timezone)
    return `${dayText(day, today)} ${time}`
  },
}

const link: Text = {
  parse: text => {
    const given = text.trim()
    const address = /^[a-z][a-z+.-]*:/i.test(given) ? given : `https://${given}`
    return URL.canParse(address) && /^(https?|mailto):/i.test(address) ? address : undefined
  },
  print: plain.print,
}

export const choiceOf = (property: Property, value: unknown): FieldChoice | undefined =>
  property.choices?.find(choice => choice.value === value)

const labelOf = (property: Property, value: unknown) => choiceOf(property, value)?.label ?? String(value ?? '')

/** The choice whose name is typed, or the only one that begins so. */
function named(text: string, { choices = [], open }: Property): unknown {
  const wanted = fold(text)
  const exact = choices.find(({ label }) => fold(label) === wanted)
  const beginning = choices.filter(({ label }) => fold(label).startsWith(wanted))
  return (exact ?? (beginning.length === 1 ? beginning[0] : undefined))?.value ?? (open ? text.trim() : undefined)
}

/** Texts are compared without case and accents. */
export const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .trim()
    .toLowerCase()

const one: Text = {
  parse: named,
  print: (value, property) => (isEmpty(value) ? '' : labelOf(property, value)),
}

const many: Text = {
  parse: (text, property) => {
    const values = text.split(',').map(each => named(each, property))
    return values.includes(undefined) ? undefined : values
  },
  print: (value, property) => (Array.isArray(value) ? value.map(each => labelOf(property, each)).join(', ') : ''),
}

const truth: Text = {
  parse: text => ({ yes: true, ja: true, true: true, no: false, nein: false, false: false })[fold(text)],
  print: value => (value === true ? say.yes : value === false ? say.no : ''),
}

export const texts: Record<FieldTypeName, Text> = {
  text: plain,
  longText: plain,
  number: figure,
  money,
  date,
  moment,
  duration,
  choice: one,
  choices: many,
  person: one,
  people: many,
  boolean: truth,
  link,
}
