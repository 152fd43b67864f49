import type { Article } from '../../documents/article/article.ts'
import { Html, html, say } from '../../identity/oauth/pages/html.ts'
import { Page } from '../../identity/oauth/pages/page.ts'
import type { Brand } from '../../identity/oauth/pages/page-style.ts'
import { messagePage } from '../../identity/oauth/pages/pages.ts'

// The pages of articles: plain documents without a script, to which the links in replies lead.

interface ArticlePage {
  article: Article
  brand: Brand
  session: string
  /** The address that the answer is sent to. */
  address: string
  answered?: boolean
}

export function articlePage({ article, brand, session, address, answered = false }: ArticlePage): Page {
  const answer = (helped: boolean, label: ReturnType<typeof say>) =>
    html`<form method="post" action="${address}"><input type="hidden" name="session" value="${session}"><input type="hidden" name="helped" value="${String(helped)}"><button>${label}</button></form>`
  return new Page(
    say(article.title, article.title),
    [
      // Sanitised when it was read.
      html`<article>${new Html([article.html])}</article>`,
      ...(answered
        ? [html`<p role="status">${say('Thank you.', 'Danke.')}</p>`]
        : [answer(true, say('This helped', 'Das hat geholfen')), answer(false, say('Did not help', 'Nicht geholfen'))]),
    ],
    brand,
  )
}

export const unknownArticlePage = messagePage(
  say('No such article', 'Diesen Artikel gibt es nicht'),
  say('The article does not exist, or it is not public.', 'Der Artikel existiert nicht, oder er ist nicht öffentlich.'),
)
