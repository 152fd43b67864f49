import { createHash } from 'node:crypto'
import { Html, html, type PageLanguage, type Said } from './html.ts'
import { type Brand, brandStyle, style } from './page-style.ts'

/** A page before it is known in which language it is sent. */
export class Page {
  readonly #title: Said
  readonly #content: readonly Html[]
  readonly #brand: Brand | undefined
  readonly #style: string

  constructor(title: Said, content: readonly Html[], brand?: Brand) {
    this.#title = title
    this.#content = content
    this.#brand = brand
    this.#style = `${style}${brandStyle(brand?.color ?? '')}`
  }

  in(language: PageLanguage): string {
    const name = this.#brand?.name || 'Gantry'
    return html`<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${this.#title} &middot; ${name}</title>
<style>${new Html([this.#style])}</style>
</head>
<body>
<main>
<p class="brand">${this.#logo ? html`<img src="${this.#logo}" alt="">` : crane} ${name}</p>
<h1>${this.#title}</h1>
${[...this.#content]}
</main>
</body>
</html>
`.in(language)
  }

  get #logo(): string | undefined {
    const { logoUrl = '' } = this.#brand ?? {}
    return URL.canParse(logoUrl) && new URL(logoUrl).protocol === 'https:' ? new URL(logoUrl).href : undefined
  }

  /**
   * The policy forbids scripts other than the given one, external resources but the logo, and frames. Forms may only be sent to the
   * service; because browsers apply this rule to redirects after a form too, the redirect target of the sign-in is listed as well.
   */
  policy(returnTo?: string, script?: string): string {
    const scripts = script === undefined ? '' : ` script-src ${script};`
    const pictures = this.#logo === undefined ? '' : ` img-src ${new URL(this.#logo).origin};`
    const target = returnTo === undefined ? '' : ` ${formTarget(returnTo)}`
    const hash = createHash('sha256').update(this.#style).digest('base64')
    return `default-src 'none';${scripts} style-src 'sha256-${hash}';${pictures} form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`
  }
}

const crane = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 13.3V4.5L7 2.7v10.6M3 7h4M3 10h4M7 4.2h6.3M11.5 4.2v4M10.5 10.2l1-2 1 2z"/></svg>`

function formTarget(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}

export const page = (title: Said, ...content: Html[]) => new Page(title, content)

export const alert = (text: Said | string) => html`<p class="alert" role="alert">${text}</p>`
