import { createHash } from 'node:crypto'
import { createReadStream, existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { header } from '../../kernel/http/request-input.ts'

// The web app as `web/build.js` has built it: files with a digest in their names, which browsers keep for ever, and one page for all addresses
// of the app.

/** The page may load our own files only, and makes HTML only from what the service has made safe. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types gantry dompurify ProseMirrorClipboard',
].join('; ')

const types: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  svg: 'image/svg+xml',
}

const built = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** Serves the web app; nothing if it was not built. */
export function mountWebApp(app: FastifyInstance, dist = built): void {
  if (!existsSync(join(dist, 'index.html'))) return
  const page = { file: join(dist, 'index.html'), etag: etagOf(join(dist, 'index.html')) }
  const sendShell = (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers({ etag: page.etag, 'cache-control': 'no-cache', 'content-security-policy': policy })
    if (header(request, 'if-none-match').includes(page.etag)) return reply.code(304).send()
    return sendFile(request, reply, page.file)
  }
  // The first segments of the app's addresses; whatever else is asked for stays unknown.
  const addresses: string[] = JSON.parse(readFileSync(join(dist, 'addresses.json'), 'utf8'))
  for (const segment of addresses) {
    app.get(`/${segment}`, sendShell)
    if (segment) app.get(`/${segment}/*`, sendShell)
  }
  for (const file of globSync('{*.js,*.svg,assets/*.{js,css,svg}}', { cwd: dist }))
    app.get(`/${file}`, (request, reply) => {
      reply.header('cache-control', file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      // A worker has a policy of its own, and this one fetches the page and its files.
      if (file === 'sw.js') reply.header('content-security-policy', policy)
      return sendFile(request, reply, join(dist, file))
    })
}

const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

/** Sends the file as it was compressed when the app was built, if the client accepts that. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: string): FastifyReply {
  const accepted = header(request, 'accept-encoding')
  const encoding = encodings.find(({ name, suffix }) => accepted.includes(name) && existsSync(file + suffix))
  const sent = file + (encoding?.suffix ?? '')
  reply.headers({ vary: 'accept-encoding', 'content-length': statSync(sent).size })
  if (encoding) reply.header('content-encoding', encoding.name)
  return reply.type(types[file.split('.').at(-1) ?? ''] ?? 'application/octet-stream').send(createReadStream(sent))
}

const etagOf = (file: string) => `"${createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 22)}"`
