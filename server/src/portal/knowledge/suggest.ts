import { Type } from 'typebox'
import { findArticle } from '../../documents/article/article.ts'
import { suggestArticles } from '../../documents/article/suggest-articles.ts'
import { documentPermissions } from '../../documents/visibility.ts'
import type { Context } from '../../kernel/context.ts'
import { bodyOf, operation, type Routes } from '../../kernel/operation.ts'
import { NotFound } from '../../kernel/refusal.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { LongText, Text } from '../../kernel/schema/values.ts'
import { beginSuggestion, findSuggestion, latestSuggestion, noteOffered, noteOpened } from './suggestion.ts'

const maxSuggested = 5

const closed = { additionalProperties: false }
const session = Text(1000, { description: 'Of an earlier answer, while the same request is written.' })

export const suggestBody = bodyOf(
  Type.Object(
    { title: Text(500), description: Type.Optional(LongText(100_000)), session: Type.Optional(session) },
    closed,
  ),
  { title: 'The printer does not print', description: 'It says that the toner is low.' },
)

export const voteBody = bodyOf(
  Type.Object(
    {
      session: Text(1000, { minLength: 1, description: 'Of the suggestion, or of the article.' }),
      helped: Type.Boolean(),
    },
    closed,
  ),
  { session: 'the session of the suggestion', helped: true },
)

const readingBody = bodyOf(
  Type.Object(
    {
      session: Type.Optional(
        Text(1000, { description: 'Of the suggestion; by default the newest one of the caller.' }),
      ),
      helped: Type.Optional(Type.Boolean({ description: 'Whether the article helped; without it, it was opened.' })),
    },
    closed,
  ),
  { session: 'the session of the suggestion', helped: true },
)

export const suggestionsSchema: Schema = {
  type: 'object',
  title: 'ArticleSuggestions',
  properties: {
    session: { type: 'string', description: 'Names what is suggested for this request, for a day.' },
    articles: {
      type: 'array',
      description: `At most ${maxSuggested}, the best first.`,
      items: {
        type: 'object',
        title: 'SuggestedArticle',
        properties: {
          id: { type: 'string', description: 'The document.' },
          title: { type: 'string' },
          snippet: { type: 'string', description: 'HTML: escaped text, with `<mark>` around what was found.' },
        },
        required: ['id', 'title', 'snippet'],
      },
    },
  },
  required: ['session', 'articles'],
}

/** Suggests articles for a request, and notes that they were. */
export async function suggest(
  ctx: Context,
  { title, description = '', session: earlier = '' }: { title: string; description?: string; session?: string },
) {
  const articles = await suggestArticles(ctx, { title, description }, maxSuggested)
  const suggestion = (await findSuggestion(ctx, earlier)) ?? (await beginSuggestion(ctx, true))
  await noteOffered(
    ctx,
    suggestion,
    articles.map(({ id }) => id),
  )
  return { session: suggestion.session, articles }
}

/** Notes what a visitor says of an article. An article or a session that is not theirs does not exist. */
export async function noteReading(
  ctx: Context,
  id: string,
  given: { session: string; helped: boolean },
): Promise<void> {
  const article = await findArticle(ctx, id)
  if (!article) throw new NotFound('article')
  const suggestion = await findSuggestion(ctx, given.session)
  if (!suggestion) throw new NotFound('session')
  await noteOpened(ctx, suggestion, article.id, given.helped)
}

const suggestOperation = operation<{ title: string; description?: string; session?: string }>({
  permission: documentPermissions.read,
  mode: 'write',
  summary: 'Suggest articles for a request',
  description:
    'The public documents that fit the title and the description of a request best, by the words in them, and that the caller may read. The session counts what comes of it: articles that were opened, that helped, and whether the caller files a ticket in the following day.',
  body: suggestBody,
  reply: { status: 200, schema: suggestionsSchema, description: 'The articles.' },
  run: async (ctx, { body }) => ({ body: await suggest(ctx, body) }),
})

const readingOperation = operation<{ session?: string; helped?: boolean }>({
  permission: documentPermissions.read,
  mode: 'write',
  summary: 'Say that an article was opened, or whether it helped',
  description:
    'Counts an article as opened and, with `helped`, what its reader says of it: once for each session, and the last answer counts. Without a session of the caller it is about their newest suggestion of the last day, or about none. A document that is not an article for the caller is 404.',
  body: readingBody,
  reply: { status: 204, description: 'It is counted.' },
  refusals: [404],
  async run(ctx, { params, body }) {
    const article = await findArticle(ctx, params.id ?? '')
    if (!article) throw new NotFound('article')
    const own = (await findSuggestion(ctx, body.session ?? '')) ?? (await latestSuggestion(ctx))
    await noteOpened(ctx, own ?? (await beginSuggestion(ctx, false)), article.id, body.helped)
    return {}
  },
})

export const routes: Routes = {
  'POST /docs/article/suggest': suggestOperation,
  'POST /docs/article/:id/reading': readingOperation,
}
