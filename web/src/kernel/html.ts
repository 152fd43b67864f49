// The one way from text to HTML. The content policy refuses every other.

interface Policy {
  createHTML: (html: string) => string
  createScriptURL: (address: string) => string
}

interface PolicyFactory {
  createPolicy: (name: string, rules: Policy) => Policy
}

/** The library of the compiler does not know this part of browsers yet; browsers without it need no policy. */
const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }

// Alignment is all that the service lets through as a style, and the content policy refuses styles in elements.
const rules: Policy = {
  createHTML: html => html.replace(/ style="text-align: ?(\w+);?"/g, ' class="align-$1"'),
  createScriptURL: address => (address === '/sw.js' ? address : ''),
}

const policy = trustedTypes?.createPolicy('gantry', rules) ?? rules

/** Reads HTML that the service has sanitised: `bodyHtml`, `descriptionHtml`, `snippet`. Never pass anything else. */
export function sanitisedFragment(html: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(html)
  return template.content
}

/** The address of the service worker: the one script that is named at run time. */
export const serviceWorkerAddress = (): string => policy.createScriptURL('/sw.js')
