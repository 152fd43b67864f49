import { missingIn, type OutputFormat, parseTemplate, renderTemplate, TemplateFault } from '../../language/liquid.ts'
import { cleanHtml, escapedHtml, plainText, safeHtml } from '../../language/markup.ts'

/** The parts of a template that are rendered. */
interface Writable {
  subject: string
  body: string
  format: string
  locales: Record<string, Variant>
}

export interface Variant {
  subject?: string
  body?: string
}

/** A rendered template. */
export interface Rendered {
  subject: string
  /** In the template's own format. */
  body: string
  /** Sanitised HTML. */
  html: string
  text: string
  /** The variables without a value. */
  missing: string[]
  /** The locale variant that was used; empty for the template itself. */
  locale: string
}

/** The values that a template can use: plain values that the caller may see, never records. */
export type RenderValues = Record<string, unknown>

/** Renders a template in the first of the requested languages that it has. */
export function render(
  template: Writable,
  scope: RenderValues,
  { languages = [], timezone = 'UTC' }: { languages?: readonly string[]; timezone?: string } = {},
): Rendered {
  const locale = chooseLocale(Object.keys(template.locales), languages)
  const variant = template.locales[locale]
  const writing: OutputFormat = template.format === 'html' ? 'html' : 'plain'
  const missing = new Set<string>()
  const written = (property: keyof Variant, how: OutputFormat) => {
    const parsed = parseTemplate(variant?.[property] || template[property], how)
    for (const each of missingIn(parsed, scope)) missing.add(each)
    return renderTemplate(parsed, scope, how, timezone)
  }
  const subject = oneLine(written('subject', 'plain'))
  const body = written('body', writing)
  const html = htmlOf(body, template.format)
  return {
    subject,
    body,
    html,
    text: template.format === 'text' ? body : plainText(html),
    missing: [...missing].sort(),
    locale,
  }
}

function htmlOf(body: string, format: string): string {
  if (format === 'html') return cleanHtml(body)
  if (format === 'text') return escapedHtml(body).replaceAll('\n', '<br />')
  return safeHtml(body)
}

const longestSubject = 1000

/** A subject becomes a mail header, where a line break would start another header. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestSubject)
}

/**
 * `de-AT` matches the variant `de-AT`, else `de`, else the next requested language is tried. Without a match the
 * template itself is used.
 */
export function chooseLocale(offered: readonly string[], languages: readonly string[]): string {
  const known = new Map(offered.map(each => [each.toLowerCase().replaceAll('_', '-'), each]))
  for (const language of languages) {
    const steps = language.trim().toLowerCase().replaceAll('_', '-').split('-')
    for (let n = steps.length; n > 0; n--) {
      const found = known.get(steps.slice(0, n).join('-'))
      if (found !== undefined) return found
    }
  }
  return ''
}

/** All texts of a template, each with its path in the record. */
export function textsOf({ subject, body, locales, format }: Writable) {
  const plain: OutputFormat = 'plain'
  const writing: OutputFormat = format === 'html' ? 'html' : plain
  return [
    { path: ['subject'], source: subject, writing: plain },
    { path: ['body'], source: body, writing },
    ...Object.entries(locales).flatMap(([locale, variant]) => [
      { path: ['locales', locale, 'subject'], source: variant.subject ?? '', writing: plain },
      { path: ['locales', locale, 'body'], source: variant.body ?? '', writing },
    ]),
  ]
}

/** The first syntax error of a text, with its line and column. */
export function syntaxFault(source: string, writing: OutputFormat = 'plain'): string | undefined {
  try {
    parseTemplate(source, writing)
    return undefined
  } catch (error) {
    if (!(error instanceof TemplateFault)) throw error
    return `line ${error.line}, column ${error.column}: ${error.message}`
  }
}

export { parseTemplate as parse, TemplateFault }
