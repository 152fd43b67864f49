import { Context, Liquid, LiquidError, type Template, toValueSync } from 'liquidjs'

// Templates are written by people who may know nothing of programs, and by some who know too much. So of Liquid only this
// is left: output, conditions, loops, and the filters below. Nothing is read from disk, nothing is included, only what
// stands in the scope itself is seen, and time and memory are counted.

const allowedTags = ['if', 'unless', 'case', 'for', 'break', 'continue', 'comment', 'raw', '#']
const allowedFilters = ['date', 'default', 'escape', 'upcase', 'downcase', 'truncate', 'join', 'size', 'minutes']

const longest = 200_000
const limits = { parseLimit: longest, renderLimit: 100, memoryLimit: 2_000_000 }

/** Why a template cannot be read, or did not come to an end, and where. */
export class TemplateFault extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, line = 1, column = 1) {
    super(message)
    this.line = line
    this.column = column
  }
}

export interface ParsedTemplate {
  templates: Template[]
  /** The paths that it names, such as `item.title`. */
  variables: string[]
  /** The same in steps: `['item', 'title']`. */
  paths: string[][]
}

/** How values are written: as they are, or so that a browser takes them for nothing but text. */
export type OutputFormat = 'plain' | 'html'

export function parseTemplate(source: string, writing: OutputFormat): ParsedTemplate {
  if (source.length > longest) throw new TemplateFault(`is longer than ${longest} characters`)
  return withTemplateFaults(() => {
    const templates = engines[writing].parse(source)
    const paths = engines[writing].globalVariableSegmentsSync(templates).map(steps => steps.filter(isStep).map(String))
    return { templates, paths, variables: [...new Set(paths.map(steps => steps.join('.')))].sort() }
  })
}

/** Writes a template out with what stands in the scope; what is not there is empty. */
export function renderTemplate(
  { templates }: ParsedTemplate,
  scope: object,
  writing: OutputFormat,
  timezone: string,
): string {
  return withTemplateFaults(() => {
    const { options, renderer } = engines[writing]
    const ctx = new Context(scope, options, { sync: true, globals: { [zoneKey]: timezone }, ownPropertyOnly: true })
    const paper = new Paper()
    toValueSync(renderer.renderTemplates(templates, ctx, paper))
    return paper.buffer
  })
}

/** What is written on. Liquid counts what it makes and how long it takes, but not how much comes out of it. */
class Paper {
  buffer = ''

  write(value: unknown): void {
    this.buffer += textOf(value)
    if (this.buffer.length > longest) throw new TemplateFault(`becomes longer than ${longest} characters`)
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Which of its paths lead nowhere in this scope. */
export function missingIn({ paths }: ParsedTemplate, scope: object): string[] {
  const missing = paths.filter(steps => {
    let place: unknown = scope
    for (const step of steps) {
      if (place === null || typeof place !== 'object') return true
      if (Array.isArray(place) && ['size', 'first', 'last'].includes(step)) return false
      place = Object.hasOwn(place, step) ? Reflect.get(place, step) : undefined
    }
    return place === undefined || place === null
  })
  return [...new Set(missing.map(steps => steps.join('.')))].sort()
}

const isStep = (step: unknown) => typeof step === 'string' || typeof step === 'number'

// A name that no template can write.
const zoneKey = ' zone'

const engines = { plain: engine('plain'), html: engine('html') }

function engine(writing: OutputFormat): Liquid {
  const liquid = new Liquid({
    ...limits,
    ownPropertyOnly: true,
    strictFilters: true,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    locale: 'en',
    dateFormat: '%Y-%m-%d %H:%M',
    ...(writing === 'html' ? { outputEscape: 'escape' as const } : {}),
  })
  for (const tag of Object.keys(liquid.tags)) if (!allowedTags.includes(tag)) delete liquid.tags[tag]
  const inZone = handlerOf(liquid.filters.date)
  liquid.registerFilter('date', function (value, format, zone) {
    // A day is in nobody's zone.
    const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
    const asked = typeof zone === 'string' && zone !== '' ? zone : this.context.globals[zoneKey]
    try {
      return inZone.call(this, value, format ?? (day ? '%Y-%m-%d' : undefined), day ? 'UTC' : asked)
    } catch (error) {
      if (error instanceof RangeError) return value // no such zone
      throw error
    }
  })
  liquid.registerFilter('minutes', value => inHours(value))
  // What goes out is escaped in any case; once is enough.
  if (writing === 'html') liquid.registerFilter('escape', value => value)
  for (const filter of Object.keys(liquid.filters)) if (!allowedFilters.includes(filter)) delete liquid.filters[filter]
  return liquid
}

type Filter = Liquid['filters'][string]

function handlerOf(filter: Filter | undefined): Exclude<Filter, { raw: boolean }> {
  if (filter === undefined) throw new Error('Liquid has lost its date filter')
  return typeof filter === 'function' ? filter : filter.handler
}

/** 135 → `2h 15m`. */
export function inHours(value: unknown): string {
  const minutes = Math.round(Number(value))
  if (value === null || value === undefined || value === '' || !Number.isFinite(minutes)) return ''
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const parts = [...(hours > 0 ? [`${hours}h`] : []), ...(rest > 0 || hours === 0 ? [`${rest}m`] : [])]
  return `${minutes < 0 ? '-' : ''}${parts.join(' ')}`
}

/** Whatever goes wrong inside is the template's fault, and is told with its place. */
function withTemplateFaults<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const fault = LiquidError.is(error) ? (error.originalError ?? error) : error
    if (fault instanceof TemplateFault) throw fault
    const [, says = '', line, column] = /^([\s\S]*?)(?:, line:(\d+), col:(\d+))?$/.exec(firstLine(error)) ?? []
    const message = /Maximum call stack/.test(says)
      ? 'nests too deep'
      : says.replace(/^.*render limit/, 'the time limit')
    throw new TemplateFault(message.slice(0, 300), Number(line ?? 1), Number(column ?? 1))
  }
}

function firstLine(error: unknown): string {
  if (LiquidError.is(error) || error instanceof Error) return error.message.split('\n')[0] ?? ''
  return String(error)
}
