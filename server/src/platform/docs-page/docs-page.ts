import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { header } from '../../kernel/http/request-input.ts'

// The page may load our own files only: no other host, no inline scripts, no eval.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The modules of the page. Browsers load them as they are; `tsconfig.docs-page.json` checks their types. */
const scripts = [
  'docs.js',
  'dom.js',
  'api-document.js',
  'schema-view.js',
  'sample-value.js',
  'code-view.js',
  'area-view.js',
  'side-list.js',
]

/** Serves the API reference: a page at `/docs`, rendered in the browser from the OpenAPI document beside it. */
export function mountDocs(app: FastifyInstance, document: () => string): void {
  const own = (file: string) => () => readFileSync(new URL(file, import.meta.url), 'utf8')
  serve(app, '/openapi/v1.json', 'application/json; charset=utf-8', document)
  serve(app, '/docs', 'text/html; charset=utf-8', own('docs.html'), policy)
  serve(app, '/docs/docs.css', 'text/css; charset=utf-8', own('docs.css'))
  for (const script of scripts) serve(app, `/docs/${script}`, 'text/javascript; charset=utf-8', own(script))
}

/**
 * Serves a text that stays the same while the service runs: it is made and compressed when it is first requested, and
 * sent only to clients without a current copy.
 */
function serve(app: FastifyInstance, url: string, type: string, make: () => string, contentPolicy?: string): void {
  let prepared: Prepared | undefined
  app.get(url, (request, reply) => {
    prepared ??= prepare(make())
    const { text, etag, packed } = prepared
    if (contentPolicy) reply.header('content-security-policy', contentPolicy)
    reply.headers({ etag, vary: 'accept-encoding' })
    if (header(request, 'if-none-match').includes(etag)) return reply.code(304).send()
    reply.type(type)
    if (!/\bgzip\b/.test(header(request, 'accept-encoding'))) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(packed)
  })
}

interface Prepared {
  text: string
  etag: string
  packed: Buffer
}

function prepare(text: string): Prepared {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  return { text, etag, packed: gzipSync(text) }
}
