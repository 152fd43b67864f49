/** The languages of the pages. */
export type PageLanguage = 'en' | 'de'

/** A text in every language of the pages. */
export type Said = Readonly<Record<PageLanguage, string>>

export const say = (en: string, de: string): Said => ({ en, de })

type Piece = Html | Said | string | undefined | Piece[]

/** A piece of a page. Values that were inserted are escaped when it is written in one of the languages. */
export class Html {
  readonly #strings: readonly string[]
  readonly #pieces: readonly Piece[]

  constructor(strings: readonly string[], pieces: readonly Piece[] = []) {
    this.#strings = strings
    this.#pieces = pieces
  }

  in(language: PageLanguage): string {
    return this.#strings.reduce((text, string, i) => text + put(this.#pieces[i - 1], language) + string)
  }
}

/** ``html`<p>${name}</p>` ``: an inserted value is escaped, unless `html` itself produced it. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings, pieces)
}

function put(piece: Piece, language: PageLanguage): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(each => put(each, language)).join('')
  if (piece instanceof Html) return piece.in(language)
  return escaped(typeof piece === 'string' ? piece : piece[language])
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? '')

/** The language that a browser prefers among those of the pages; English if it names none of them. */
export function pageLanguage(acceptLanguage: string | undefined): PageLanguage {
  const preferences = (acceptLanguage ?? '')
    .slice(0, 1000)
    .split(',')
    .map((each, i) => {
      const [tag = '', quality = ''] = each.trim().toLowerCase().split(';')
      const weight = quality.trim().startsWith('q=') ? Number(quality.trim().slice(2)) : 1
      return { language: tag.split('-')[0], weight, i }
    })
    .filter(({ language, weight }) => (language === 'en' || language === 'de') && weight > 0)
    .sort((a, b) => b.weight - a.weight || a.i - b.i)
  return preferences[0]?.language === 'de' ? 'de' : 'en'
}
