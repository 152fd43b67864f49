import { numberFormat } from './formatters.ts'

import { pseudo } from './pseudo.ts'

/** The languages of the app. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** A catalog of messages: texts, and functions for those with parameters. */
type Catalog = Record<string, string | ((...values: never[]) => string)>

let current: Language = 'en'
let isPseudo = false
let formats = 'en-GB'

export function languageOf(locale: string): Language {
  return languages.find(each => locale.toLowerCase().startsWith(each)) ?? 'en'
}

/** Shows texts in a language, and dates and numbers as its first wanted locale writes them. */
export function speak(language: Language, wanted: readonly string[] = []): void {
  current = language
  isPseudo = wanted[0] === pseudoLocale
  formats = localeFor(language, wanted)
  document.documentElement.lang = language
}

/** The language of tests: the English texts, marked and longer. */
const pseudoLocale = 'xx'

export const language = () => current

/** The locale of dates and numbers: the language with a region. */
export const locale = () => formats

/** The first locale that says how the language is written somewhere; a language alone would be that of its largest country. */
export function localeFor(language: Language, wanted: readonly string[]): string {
  const own = wanted.find(each => each.toLowerCase().startsWith(`${language}-`) && isLocale(each))
  return own ?? usual[language]
}

function isLocale(text: string): boolean {
  try {
    // To ask which locales are supported takes a tenth of a second at the start. Of one that is not, the language counts.
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false // not written as a locale
  }
}

/** Where nobody says where they are: the day before the month. */
const usual: Record<Language, string> = { en: 'en-GB', de: 'de' }

/** The messages of a room; a language that lacks one of them does not compile. */
export function messages<const M extends Catalog>(
  catalogs: Record<Language, { [K in keyof M]: M[K] extends string ? string : M[K] }> & { en: M },
): { [K in keyof M]: M[K] } {
  return new Proxy({} as { [K in keyof M]: M[K] }, {
    get: (_, name) => {
      const said = typeof name === 'string' ? catalogs[current][name as keyof M] : undefined
      return isPseudo && said !== undefined ? marked(said) : said
    },
  })
}

function marked(said: Catalog[string]): Catalog[string] {
  return typeof said === 'string' ? pseudo(said) : (...values: never[]) => pseudo(said(...values))
}

const plurals = new Map<Language, Intl.PluralRules>()

/** The form of a word for a number: `plural(2, { one: 'item', other: 'items' })`. */
export function plural(count: number, forms: { one: string; other: string }): string {
  const rules = plurals.get(current) ?? new Intl.PluralRules(current)
  plurals.set(current, rules)
  return rules.select(count) === 'one' ? forms.one : forms.other
}

/** A name in a sentence: it is written in its own direction, and the sentence keeps its own. */
export const isolated = (name: string) => `\u2068${name}\u2069`

export const number = (value: number) => numberFormat(formats).format(value)
