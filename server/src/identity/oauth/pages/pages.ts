import { createHash } from 'node:crypto'

/** A string that is already HTML; every other value is escaped on insertion. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | undefined | Piece[]

/** ``html`<p>${name}</p>` ``: an inserted value is escaped, unless `html` itself produced it. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, string, i) => text + put(pieces[i - 1]) + string))
}

function put(piece: Piece): string {
  if (piece === undefined) return ''
  if (Array.isArray(piece)) return piece.map(put).join('')
  return piece instanceof Html ? piece.text : escaped(piece)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, character => entities[character] ?? '')

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --ground: #f2f4f7; --sheet: #fff; --line: #c6ccd5; --act: #1f5fbf; --on-act: #fff; --alert: #a3221b }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf0; --soft: #a3adbb; --ground: #12161c; --sheet: #1b2129; --line: #3d4754; --act: #6ea4f5; --on-act: #0e1621; --alert: #ff9a91 } }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 24rem; padding: 2rem 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem }
.name { margin: 0 0 1.5rem; font-weight: 700; letter-spacing: .04em; color: var(--soft) }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25 }
p { margin: 0 0 1rem; overflow-wrap: anywhere }
label { display: block; margin: 0 0 1rem; font-weight: 600 }
small { font-weight: 400; color: var(--soft) }
input { display: block; width: 100%; margin-top: .25rem; padding: .625rem .75rem; font: inherit; font-weight: 400; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .375rem }
button { width: 100%; margin: .25rem 0 0; padding: .6875rem 1rem; font: inherit; font-weight: 600; color: var(--on-act); background: var(--act); border: 1px solid var(--act); border-radius: .375rem; cursor: pointer }
button.other, a.other { margin-top: .75rem; color: var(--ink); background: transparent; border-color: var(--line) }
a.other { display: block; width: 100%; padding: .6875rem 1rem; font-weight: 600; text-align: center; text-decoration: none; border: 1px solid var(--line); border-radius: .375rem }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px }
.alert { padding: .75rem; color: var(--alert); border: 1px solid currentcolor; border-radius: .375rem }
code { font: 600 1.5rem/1.5 ui-monospace, monospace; letter-spacing: .1em }
a { color: var(--act) }
.below { margin: 1rem 0 0 }
ul { margin: 0 0 1rem; padding-left: 1.25rem }
ul.codes { padding: 0; list-style: none }
code.key { font-size: 1rem; letter-spacing: .04em }`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * The policy forbids scripts other than the given one, external resources and frames. Forms may only be sent to the service; because browsers
 * apply this rule to redirects after a form too, the redirect target of the sign-in is listed as well.
 */
export function pagePolicy(returnTo?: string, script?: string): string {
  const scripts = script === undefined ? '' : ` script-src ${script};`
  const target = returnTo === undefined ? '' : ` ${formTarget(returnTo)}`
  return `default-src 'none';${scripts} style-src 'sha256-${styleHash}'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`
}

function formTarget(uri: string): string {
  const { origin, protocol } = new URL(uri)
  return origin === 'null' ? protocol : origin
}

export function page(title: string, ...content: Html[]): string {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} &middot; Gantry</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="name">Gantry</p>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text
}

export const alert = (text: string) => html`<p class="alert" role="alert">${text}</p>`

/** All failures show the same text, so that it reveals nothing about accounts. */
const refusal =
  'E-mail, password and workspace do not match, or the account is locked. Check your input, or try again later. If your address belongs to more than one workspace, enter the workspace.'

/** A link to an external identity provider. */
interface SignInLink {
  name: string
  address: string
}

interface LoginPage {
  email: string
  workspace: string
  refused: boolean
  /** What the script needs that asks the browser for a passkey. */
  passkey?: { challenge: string; rpId: string; script: string; action: string }
  /** The address of the page for a forgotten password. */
  forgot: string
  /** The providers of the workspace, if it is known; undefined if external sign-in is not offered. */
  ways?: readonly SignInLink[]
  /** The person asked for the providers of a workspace that has none. */
  noWays?: boolean
}

export function loginPage(known: LoginPage): string {
  return page(
    'Sign in',
    html`${known.refused ? alert(refusal) : undefined}${known.noWays ? alert(noWays) : undefined}${(
      known.ways ?? []
    ).map(({ name, address }) => html`<p><a class="other" href="${address}">Continue with ${name}</a></p>`)}
<form method="post">
<label>E-mail <input name="email" type="email" autocomplete="username webauthn" required maxlength="320" value="${known.email}"${known.email === '' ? html` autofocus` : undefined}></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required maxlength="1000"${known.email === '' ? undefined : html` autofocus`}></label>
<label>Workspace <small>(only if your address belongs to more than one)</small> <input name="workspace" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="100" value="${known.workspace}"></label>
<button>Sign in</button>
<p class="below"><a href="${known.forgot}">Forgotten password?</a></p>
${known.ways?.length === 0 ? html`<button name="answer" value="elsewhere" formnovalidate class="other">Use the sign-in of my workspace</button>` : undefined}
</form>${known.passkey && passkeyForm(known.passkey)}`,
  )
}

/** The form is shown by the script, in browsers that know passkeys. */
function passkeyForm({ challenge, rpId, script, action }: NonNullable<LoginPage['passkey']>): Html {
  return html`
<form id="passkey" method="post" action="${action}" data-challenge="${challenge}" data-rp-id="${rpId}" hidden>
<input type="hidden" name="response">
<button class="other">Use a passkey</button>
</form>
<script src="${script}" defer></script>`
}

const noWays =
  'Enter the name of your workspace below. If you have entered it, this workspace offers no other way to sign in.'

export function consentPage(asking: { client: string; account: string; scopes: string[] }): string {
  return page(
    `Allow access for ${asking.client}?`,
    html`<p><strong>${asking.client}</strong> wants to act for you${asking.account === '' ? undefined : html`, <strong>${asking.account}</strong>,`} in Gantry:</p>
<ul>${asking.scopes.map(scope => html`<li>${scope}</li>`)}</ul>
<p>Refuse if you did not start this yourself.</p>
<form method="post">
<button name="answer" value="allow">Allow</button>
<button name="answer" value="refuse" class="other">Refuse</button>
</form>`,
  )
}

export function deviceCodePage(form: { action: string; xsrf: string; code: string; complaint?: string }): string {
  return page(
    'Connect a device',
    html`${form.complaint === undefined ? undefined : alert(form.complaint)}
<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<label>The code that the device shows <input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20" autofocus value="${form.code}"></label>
<button>Continue</button>
</form>`,
  )
}

export function deviceConfirmPage(form: { action: string; xsrf: string; code: string; client: string }): string {
  return page(
    'Is this your device?',
    html`<p><strong>${form.client}</strong> must show exactly this code:</p>
<p><code>${form.code}</code></p>
<p>Refuse if it shows another code, or if you did not start this yourself: somebody else may try to use your account.</p>
<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<input type="hidden" name="user_code" value="${form.code}">
<button name="confirm" value="yes">It is my device</button>
<button name="abort" value="yes" class="other">Refuse</button>
</form>`,
  )
}

export function logoutPage(form: { action: string; xsrf: string }): string {
  return page(
    'Sign out?',
    html`<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<button name="logout" value="yes">Sign out</button>
<button class="other">Stay signed in</button>
</form>`,
  )
}

interface InvitationPage {
  /** The first user of an installation chooses name and address, too. */
  first: boolean
  name?: string
  email?: string
  complaint?: string
}

export function invitationPage({ first, name = '', email = '', complaint }: InvitationPage): string {
  return page(
    'Welcome',
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>${first ? 'Gantry is ready, and you are its administrator. Say who you are, and choose a password.' : 'You have been invited. Choose a password to sign in with.'}</p>
<form method="post">
${
  first
    ? html`<label>Name <input name="name" autocomplete="name" required maxlength="120" autofocus value="${name}"></label>
<label>E-mail <input name="email" type="email" autocomplete="username" required maxlength="254" value="${email}"></label>`
    : undefined
}
<label>Password <small>(at least 12 characters)</small> <input name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="200"${first ? undefined : html` autofocus`}></label>
<button>${first ? 'Begin' : 'Set the password'}</button>
</form>`,
  )
}

/** Asks for the address of somebody who has forgotten the password. */
export function forgotPage(): string {
  return page(
    'Forgotten password',
    html`<p>Enter your e-mail address. You get a mail with a link that lets you choose a new password.</p>
<form method="post">
<label>E-mail <input name="email" type="email" autocomplete="username" required maxlength="320" autofocus></label>
<button>Send the link</button>
</form>`,
  )
}

/** A message with the way to the sign-in. */
export function signInPage(title: string, text: string, address: string): string {
  return page(title, html`<p>${text}</p><p><a class="other" href="${address}">Sign in</a></p>`)
}

export function messagePage(title: string, text: string): string {
  return page(title, html`<p>${text}</p>`)
}

export function errorPage(text: string, code: string): string {
  return page('This did not work', html`<p>${text}</p><p><small>${code}</small></p>`)
}

export function signInRefusedPage(text: string, back: string | undefined): string {
  return page(
    'You are not signed in',
    html`${alert(text)}${back === undefined ? undefined : html`<p><a class="other" href="${back}">Sign in another way</a></p>`}`,
  )
}
