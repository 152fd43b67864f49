/** The locale that a browser prefers, by its header `Accept-Language`; undefined if it names none. */
export function browserLocale(acceptLanguage: string | undefined): string | undefined {
  return /^([a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*)(?:[,;]|$)/.exec(acceptLanguage ?? '')?.[1]?.slice(0, 35)
}
