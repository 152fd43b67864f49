import { setImmediate } from 'node:timers/promises'
import { cleanHtml, escapedHtml, safeHtml } from '../../language/markup.ts'
import type { FormattedText } from './export-markdown.ts'

/** The text as safe HTML, whoever wrote it. A long text is rendered in parts, so that others need not wait for it. */
export async function bodyHtml({ body, format }: FormattedText): Promise<string> {
  if (format === 'html') return cleanHtml(body)
  if (format !== 'markdown') return `<pre>${escapedHtml(body)}</pre>`
  const parts: string[] = []
  for (const part of markdownParts(body)) {
    parts.push(safeHtml(part))
    await setImmediate()
  }
  return parts.join('\n')
}

/** Shorter than what `safeHtml` still formats. */
const maxPart = 25_000

/**
 * Divides Markdown into parts that are rendered one by one: before a heading or a paragraph, and never inside a block of code. A
 * block that is longer than a part stays whole.
 */
export function* markdownParts(text: string): Generator<string> {
  let part: string[] = []
  let length = 0
  let fence = ''
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    const begins = fence === '' && (part.at(-1)?.trim() === '' || /^#{1,6} /.test(line))
    if (length > maxPart && begins) {
      yield part.join('\n')
      part = []
      length = 0
    }
    if (fence === '') fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ''
    part.push(line)
    length += line.length + 1
  }
  yield part.join('\n')
}

const style = `body{font-family:system-ui,sans-serif;line-height:1.5;max-width:45rem;margin:2rem auto;padding:0 1rem}
pre{overflow:auto;background:#f4f4f4;padding:.7rem}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .5rem}
img{max-width:100%}blockquote{border-left:3px solid #ccc;margin-left:0;padding-left:1rem}`

/** A page that needs nothing else. `body` is safe already. */
export function htmlPage(name: string, body: string): string {
  const title = escapedHtml(name)
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`
}
