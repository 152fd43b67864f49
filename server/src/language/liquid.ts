import { Context, Liquid, LiquidError, type Template, toValueSync } from 'liquidjs'

// Templates are written by people without programming knowledge, and possibly by attackers. Liquid is therefore reduced
// to output, conditions, loops and the filters below. Templates read no files, include nothing, see only own properties
// of the scope, and have limits of time and memory.

const allowedTags = ['if', 'unless', 'case', 'for', 'break', 'continue', 'comment', 'raw', '#']
const allowedFilters = ['date', 'default', 'escape', 'upcase', 'downcase', 'truncate', 'join', 'size', 'minutes']

const longest = 200_000
const limits = { parseLimit: longest, renderLimit: 100, memoryLimit: 2_000_000 }

/** Why a template cannot be parsed or did not finish, and the position. */
export class TemplateFault extends Error {
  readonly line: number
  readonly column: number

  constructor(message: string, line = 1, column = 1) {
    super(message)
    this.line = line
    this.column = column
  }
}

interface ParsedTemplate {
  templates: Template[]
  /** The paths that the template names, such as `item.title`. */
  variables: string[]
  /** The same paths in segments: `['item', 'title']`. */
  paths: string[][]
}

/** The output format: values are written as they are, or escaped for HTML. */
export type OutputFormat = 'plain' | 'html'

export function parseTemplate(source: string, writing: OutputFormat): ParsedTemplate {
  if (source.length > longest) throw new TemplateFault(`is longer than ${longest} characters`)
  return withTemplateFaults(() => {
    const templates = engines[writing].parse(source)
    const paths = engines[writing].globalVariableSegmentsSync(templates).map(steps => steps.filter(isStep).map(String))
    return { templates, paths, variables: [...new Set(paths.map(steps => steps.join('.')))].sort() }
  })
}

/** Renders a template with the scope; a missing value is empty. */
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

/** The output buffer. Liquid limits memory and time, but not the length of the output. */
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

/** Lists the paths of the template that have no value in this scope. */
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

// No template can write this name.
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
    // A date has no time zone.
    const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
    const asked = typeof zone === 'string' && zone !== '' ? zone : this.context.globals[zoneKey]
    try {
      return inZone.call(this, value, format ?? (day ? '%Y-%m-%d' : undefined), day ? 'UTC' : asked)
    } catch (error) {
      if (error instanceof RangeError) return value // unknown time zone
      throw error
    }
  })
  liquid.registerFilter('minutes', value => inHours(value))
  // HTML output is always escaped, so the filter must not escape a second time.
  if (writing === 'html') liquid.registerFilter('escape', value => value)
  for (const filter of Object.keys(liquid.filters)) if (!allowedFilters.includes(filter)) delete liquid.filters[filter]
  return liquid
}

type Filter = Liquid['filters'][string]

function handlerOf(filter: Filter | undefined): Exclude<Filter, { raw: boolean }> {
  if (filter === undefined) throw new Error('this version of Liquid has no date filter')
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

/** Every error inside is an error of the template, and is reported with its position. */
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
