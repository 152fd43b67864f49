import { Readable } from 'node:stream'
import { operation, type Reply, type Routes } from '../../kernel/operation.ts'
import { fault, Invalid } from '../../kernel/refusal.ts'
import { imagesFor, imagesQuery } from '../../language/markup.ts'
import { keysOf } from '../../records/references/keys-of.ts'
import { documents } from '../document/document.ts'
import { contents } from '../document/document-content.ts'
import { disposition, plainName } from '../file/file-name.ts'
import { documentPermissions } from '../visibility.ts'
import { bodyHtml, htmlPage } from './export-html.ts'
import { markdownOf } from './export-markdown.ts'
import { pdfOf } from './export-pdf.ts'

const formats = {
  markdown: { type: 'text/markdown; charset=utf-8', ending: 'md' },
  html: { type: 'text/html; charset=utf-8', ending: 'html' },
  pdf: { type: 'application/pdf', ending: 'pdf' },
} as const

type Format = keyof typeof formats

const exportDocument = operation({
  permission: documentPermissions.read,
  mode: 'read',
  summary: 'Export a document',
  description:
    'The document as a file: its text as Markdown, a page of sanitised HTML, or a PDF (up to 300,000 characters of text). No format contains anything that a browser or a reader would execute.',
  query: {
    format: { type: 'string', enum: Object.keys(formats), description: 'The default is `markdown`.' },
    images: {
      ...imagesQuery,
      description: 'In HTML: also show images of other servers, which thereby learn that the text is read.',
    },
  },
  reply: {
    status: 200,
    schema: { type: 'string', format: 'binary', contentMediaType: '*/*' },
    description: 'The file.',
    headers: ['Content-Disposition'],
  },
  refusals: [404, 422],
  async run(ctx, { params, query }) {
    const format = readFormat(query.format)
    const { id, name } = await documents.get(ctx, params.id ?? '')
    const content = await contents.get(ctx, id)
    if (format === 'markdown') return asFile(Buffer.from(markdownOf(content)), name, format)
    const body = await bodyHtml(content)
    if (format === 'html') return asFile(Buffer.from(htmlPage(name, imagesFor(query, body))), name, format)
    return asFile(await pdfOf(name, body, ctx.services.pdfFont), name, format)
  },
})

function readFormat(given: unknown): Format {
  const format = String(given ?? 'markdown').toLowerCase()
  const known = keysOf(formats)
  const found = known.find(each => each === format)
  if (found) return found
  throw new Invalid([fault(['format'], 'enum', `must be one of ${known.join(', ')}`, given)], 'the query is not valid')
}

/** A browser saves the file under its name; should it show it nevertheless, the sandbox runs no script of it. */
function asFile(bytes: Buffer, name: string, format: Format): Reply {
  const { type, ending } = formats[format]
  return {
    headers: {
      'cache-control': 'private, no-store',
      'content-disposition': disposition(`${plainName(name) || 'document'}.${ending}`, false),
      'content-length': String(bytes.length),
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src https: data:",
      'content-type': type,
      'x-content-type-options': 'nosniff',
    },
    bytes: () => Readable.from([bytes]),
  }
}

export const routes: Routes = { 'GET /docs/doc/:id/export': exportDocument }
