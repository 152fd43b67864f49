import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Article, findArticle } from '../../documents/article/article.ts'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { sendPage, tooManyAttemptsPage } from '../../identity/oauth/pages/send-page.ts'
import type { Context } from '../../kernel/context.ts'
import { queryReader } from '../../kernel/http/query.ts'
import { NotFound, Refusal } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import type { OpenRoutes } from '../../platform/openapi/openapi.ts'
import { parseJson } from '../../platform/requests/json.ts'
import { fresh, portalPath, type VisitorDoor, type VisitorRequest } from '../visitor/visitor.ts'
import { articlePage, unknownArticlePage } from './article-page.ts'
import { noteReading, suggest, suggestBody, suggestionsSchema, voteBody } from './suggest.ts'
import { beginSuggestion, findSuggestion, noteOpened } from './suggestion.ts'

const articleQuery: Record<string, Schema> = {
  session: { type: 'string', maxLength: 1000, description: 'Of a suggestion, which counts the article as opened.' },
}
const readArticleQuery = queryReader({ mode: 'read', query: articleQuery })

/** Reads an article for a visitor and counts it as opened, once for each session. */
async function openArticle(ctx: Context, id: string, earlier: string): Promise<Article & { session: string }> {
  const article = await findArticle(ctx, id)
  if (!article) throw new NotFound('article')
  const suggestion = (await findSuggestion(ctx, earlier)) ?? (await beginSuggestion(ctx, false))
  await noteOpened(ctx, suggestion, article.id)
  return { ...article, session: suggestion.session }
}

interface ArticleOptions {
  baseUrl: string
  brandOf: (ctx: Context) => Promise<Brand>
}

/** Mounts what visitors do with articles: an API, and a page for each article. */
export function mountArticles(app: FastifyInstance, enter: VisitorDoor, { baseUrl, brandOf }: ArticleOptions): void {
  app.post(`${portalPath}/suggest`, async (request: VisitorRequest, reply) => {
    const asked = suggestBody.read(request.body)
    return fresh(reply).send(await enter(request, 'count', ctx => suggest(ctx, asked)))
  })
  app.get(`${portalPath}/article/:id`, async (request: VisitorRequest, reply) => {
    const { session = '' } = readArticleQuery(request.query)
    return fresh(reply).send(
      await enter(request, 'count', ctx => openArticle(ctx, request.params.id ?? '', String(session))),
    )
  })
  app.post(`${portalPath}/article/:id/vote`, async (request: VisitorRequest, reply) => {
    const vote = voteBody.read(request.body)
    await enter(request, 'write', ctx => noteReading(ctx, request.params.id ?? '', vote))
    return fresh(reply).code(204).send()
  })
  void app.register(async scope => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 16 * 1024 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
    )
    const path = '/portal/:slug/article/:id'
    const show = async (request: VisitorRequest, reply: FastifyReply, session: string, answered: boolean) => {
      const shown = await enter(request, 'count', async ctx => ({
        article: await openArticle(ctx, request.params.id ?? '', session),
        brand: await brandOf(ctx),
      }))
      const address = `${baseUrl}/portal/${request.params.slug}/article/${shown.article.id}/vote`
      return sendPage(unlisted(reply), articlePage({ ...shown, session: shown.article.session, address, answered }))
    }
    scope.get(path, async (request: VisitorRequest, reply) =>
      show(request, reply, '', false).catch(error => refuse(reply, error)),
    )
    scope.post(`${path}/vote`, async (request: VisitorRequest, reply) => {
      try {
        const { session, helped } = Object(request.body)
        const vote = voteBody.read(parseJson(JSON.stringify({ session, helped: helped === 'true' })))
        await enter(request, 'write', ctx => noteReading(ctx, request.params.id ?? '', vote))
        return await show(request, reply, vote.session, true)
      } catch (error) {
        return refuse(reply, error)
      }
    })
  })
}

const unlisted = (reply: FastifyReply) => reply.headers({ 'referrer-policy': 'no-referrer' })

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof Refusal)) throw error
  if (error.status === 429) return sendPage(unlisted(reply).code(429).headers(error.headers), tooManyAttemptsPage)
  return sendPage(unlisted(reply).code(error.status), unknownArticlePage)
}

const text: Schema = { type: 'string' }
const articleSchema: Schema = {
  type: 'object',
  title: 'PortalArticle',
  properties: {
    id: text,
    title: text,
    html: { type: 'string', description: 'Sanitised HTML.' },
    updated: { type: 'string', format: 'date-time' },
    session: { type: 'string', description: 'With which the reader says whether it helped.' },
  },
  required: ['id', 'title', 'html', 'updated', 'session'],
}

const noCredential = 'No credential is needed. Requests are limited by network (429).'

export const articleRoutes: OpenRoutes = {
  'POST /portal/:slug/suggest': {
    summary: 'Suggest articles to a visitor',
    description: `The articles that fit the title and the description of a request best: public documents that any requester may read. ${noCredential}`,
    body: { schema: suggestBody.schema, example: suggestBody.example },
    reply: { status: 200, description: 'The articles.', schema: suggestionsSchema },
    refusals: [400, 404, 429],
  },
  'GET /portal/:slug/article/:id': {
    summary: 'Read an article as a visitor',
    description: `The text of a public document as sanitised HTML; it is counted as opened, once for each session. A draft, an internal, a restricted, an archived and a deleted document, and one of another tenant, are answered like one that does not exist. \`/portal/{slug}/article/{id}\` is a page with the same. ${noCredential}`,
    query: articleQuery,
    reply: { status: 200, description: 'The article.', schema: articleSchema },
    refusals: [400, 404, 429],
  },
  'POST /portal/:slug/article/:id/vote': {
    summary: 'Say as a visitor whether an article helped',
    description: `Counts once for each session; the last answer counts. A session that is unknown, expired or of another tenant is 404. ${noCredential}`,
    body: { schema: voteBody.schema, example: voteBody.example },
    reply: { status: 204, description: 'It is counted.' },
    refusals: [400, 404, 429],
  },
}
