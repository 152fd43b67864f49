import { missingIn, type OutputFormat, parseTemplate, renderTemplate, TemplateFault } from '../../language/liquid.ts'
import { cleanHtml, escapedHtml, plainText, safeHtml } from '../../language/markup.ts'

/** What of a template is written out. */
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

/** A template written out for one occasion. */
export interface Rendered {
  subject: string
  /** In the template's own format. */
  body: string
  /** To be shown as it is. */
  html: string
  text: string
  /** The variables that led nowhere. */
  missing: string[]
  /** The variant that was taken; empty is the template itself. */
  locale: string
}

/** What a template may speak of: plain values, made from what the caller may see. Never a record itself. */
export type RenderValues = Record<string, unknown>

/** Writes a template out in the first of the languages that it has. */
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

/** A subject becomes a line of a mail's head, where a line break would begin another. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, longestSubject)
}

/** `de-AT` is served by `de-AT`, else by `de`; then the next wish counts. Without any, the template itself. */
export function chooseLocale(offered: readonly string[], languages: readonly string[]): string {
  const known = new Map(offered.map(each => [each.toLowerCase().replaceAll('_', '-'), each]))
  for (const wish of languages) {
    const steps = wish.trim().toLowerCase().replaceAll('_', '-').split('-')
    for (let n = steps.length; n > 0; n--) {
      const found = known.get(steps.slice(0, n).join('-'))
      if (found !== undefined) return found
    }
  }
  return ''
}

/** Every text of a template, with its place in the record. */
export function textsOf({ subject, body, locales, format }: Writable) {
  const writing: OutputFormat = format === 'html' ? 'html' : 'plain'
  return [
    { path: ['subject'], source: subject, writing: 'plain' as OutputFormat },
    { path: ['body'], source: body, writing },
    ...Object.entries(locales).flatMap(([locale, variant]) => [
      { path: ['locales', locale, 'subject'], source: variant.subject ?? '', writing: 'plain' as OutputFormat },
      { path: ['locales', locale, 'body'], source: variant.body ?? '', writing },
    ]),
  ]
}

export { parseTemplate as parse, TemplateFault }
