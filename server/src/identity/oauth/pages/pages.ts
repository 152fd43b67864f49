import { type Html, html, type Said, say } from './html.ts'
import { alert, Page, page } from './page.ts'
import type { Brand } from './page-style.ts'

const email = say('E-mail address', 'E-Mail-Adresse')
const password = say('Password', 'Passwort')
const goOn = say('Continue', 'Weiter')
const signIn = say('Sign in', 'Anmelden')

/** All failures show the same text, so that it reveals nothing about accounts. */
const refusal = say(
  'E-mail, password and workspace do not match, or the account is locked. Check your input, or try again later. If your address belongs to more than one workspace, enter the workspace.',
  'E-Mail-Adresse, Passwort und Arbeitsbereich passen nicht zusammen, oder das Konto ist gesperrt. Prüfen Sie die Eingabe, oder versuchen Sie es später noch einmal. Gehört Ihre Adresse zu mehreren Arbeitsbereichen, geben Sie den Arbeitsbereich an.',
)

/** A link to an external identity provider. */
interface SignInLink {
  name: string
  address: string
}

interface LoginPage {
  email: string
  workspace: string
  refused: boolean
  /** How the workspace wants to be seen, if it is known. */
  brand?: Brand | undefined
  /** What the script needs that asks the browser for a passkey. */
  passkey?: { challenge: string; rpId: string; script: string; action: string }
  /** The address of the page for a forgotten password. */
  forgot: string
  /** The providers of the workspace, if it is known; undefined if external sign-in is not offered. */
  ways?: readonly SignInLink[]
  /** The person asked for the providers of a workspace that has none. */
  noWays?: boolean
}

export function loginPage(known: LoginPage): Page {
  const { ways = [] } = known
  const first = known.email === ''
  const content = html`${known.refused ? alert(refusal) : undefined}${known.noWays ? alert(noWays) : undefined}${
    known.passkey && passkeyForm(known.passkey)
  }${ways.map(({ name, address }) => html`<a class="other" href="${address}">${say('Continue with', 'Weiter mit')} ${name}</a>`)}
${ways.length > 0 ? html`<div class="or">${say('or with your password', 'oder mit dem Passwort')}</div>` : undefined}
<form method="post">
<label>${email} <input name="email" type="email" autocomplete="username webauthn" required maxlength="320" value="${known.email}"${first ? html` autofocus` : undefined}></label>
<label>${password} <input name="password" type="password" autocomplete="current-password" required maxlength="1000"${first ? undefined : html` autofocus`}></label>
<label>${say('Workspace', 'Arbeitsbereich')} <small>${say('(only if your address belongs to more than one)', '(nur wenn Ihre Adresse zu mehreren gehört)')}</small> <input name="workspace" autocomplete="organization" autocapitalize="none" spellcheck="false" maxlength="100" value="${known.workspace}"></label>
<button>${signIn}</button>
${known.ways?.length === 0 ? html`<button name="answer" value="elsewhere" formnovalidate class="other">${say('Use the sign-in of my workspace', 'Anmeldung meines Arbeitsbereichs verwenden')}</button>` : undefined}
</form>
<p><a href="${known.forgot}">${say('Forgotten password?', 'Passwort vergessen?')}</a></p>`
  return new Page(signIn, [content], known.brand)
}

/** The form is shown by the script, in browsers that know passkeys. */
function passkeyForm({ challenge, rpId, script, action }: NonNullable<LoginPage['passkey']>): Html {
  return html`
<form id="passkey" method="post" action="${action}" data-challenge="${challenge}" data-rp-id="${rpId}" hidden>
<input type="hidden" name="response">
<button class="other">${say('Use a passkey', 'Passkey verwenden')}</button>
</form>
<script src="${script}" defer></script>`
}

const noWays = say(
  'Enter the name of your workspace below. If you have entered it, this workspace offers no other way to sign in.',
  'Geben Sie unten den Namen Ihres Arbeitsbereichs ein. Haben Sie das schon getan, bietet er keine andere Anmeldung an.',
)

interface ConsentPage {
  client: string
  account: string
  scopes: Said[]
  /** Where a client is from that a tenant has registered, and where the person goes after the answer. */
  registered?: { tenant: string; homepage: string; host: string }
}

export function consentPage({ client, account, scopes, registered }: ConsentPage): Page {
  return page(
    say(`Allow access for ${client}?`, `Zugriff für ${client} erlauben?`),
    html`<p>${
      account === ''
        ? html`<strong>${client}</strong> ${say('wants to act for you in Gantry:', 'möchte in Gantry für Sie handeln:')}`
        : html`<strong>${client}</strong> ${say('wants to act for you,', 'möchte für Sie,')} <strong>${account}</strong>, ${say('in Gantry:', 'in Gantry handeln:')}`
    }</p>
<ul>${scopes.map(scope => html`<li>${scope}</li>`)}</ul>
${registered && registrationText(registered)}
<p>${say('Refuse if you did not start this yourself.', 'Lehnen Sie ab, wenn Sie das nicht selbst begonnen haben.')}</p>
<form method="post">
<button name="answer" value="allow">${say('Allow', 'Erlauben')}</button>
<button name="answer" value="refuse" class="other">${refuse}</button>
</form>`,
  )
}

function registrationText({ tenant, homepage, host }: NonNullable<ConsentPage['registered']>): Html {
  return html`<p>${say('Your workspace:', 'Ihr Arbeitsbereich:')} <strong>${tenant}</strong>. ${say(
    'Its administrators have registered this program. You can take your consent back at any time.',
    'Seine Verwaltung hat dieses Programm eingetragen. Sie können Ihre Zustimmung jederzeit zurücknehmen.',
  )}</p>
<p>${homepage === '' ? undefined : html`${say('Website of the program:', 'Website des Programms:')} <a href="${homepage}" rel="noreferrer noopener">${homepage}</a>. `}${say('Your answer leads to', 'Ihre Antwort führt zu')} <strong>${host}</strong>.</p>`
}

const refuse = say('Refuse', 'Ablehnen')

export function deviceCodePage(form: { action: string; xsrf: string; code: string; complaint?: Said }): Page {
  return page(
    say('Connect a device', 'Gerät verbinden'),
    html`${form.complaint === undefined ? undefined : alert(form.complaint)}
<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<label>${say('The code that the device shows', 'Der Code, den das Gerät zeigt')} <input name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required maxlength="20" autofocus value="${form.code}"></label>
<button>${goOn}</button>
</form>`,
  )
}

export function deviceConfirmPage(form: { action: string; xsrf: string; code: string; client: string }): Page {
  return page(
    say('Is this your device?', 'Ist das Ihr Gerät?'),
    html`<p><strong>${form.client}</strong> ${say('must show exactly this code:', 'muss genau diesen Code zeigen:')}</p>
<p><code>${form.code}</code></p>
<p>${say(
      'Refuse if it shows another code, or if you did not start this yourself: somebody else may try to use your account.',
      'Lehnen Sie ab, wenn es einen anderen Code zeigt oder Sie das nicht selbst begonnen haben: Jemand anders könnte Ihr Konto benutzen wollen.',
    )}</p>
<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<input type="hidden" name="user_code" value="${form.code}">
<button name="confirm" value="yes">${say('It is my device', 'Es ist mein Gerät')}</button>
<button name="abort" value="yes" class="other">${refuse}</button>
</form>`,
  )
}

export function logoutPage(form: { action: string; xsrf: string }): Page {
  return page(
    say('Sign out?', 'Abmelden?'),
    html`<form method="post" action="${form.action}">
<input type="hidden" name="xsrf" value="${form.xsrf}">
<button name="logout" value="yes">${say('Sign out', 'Abmelden')}</button>
<button class="other">${say('Stay signed in', 'Angemeldet bleiben')}</button>
</form>`,
  )
}

interface InvitationPage {
  /** The first user of an installation chooses name and address, too. */
  first: boolean
  name?: string
  email?: string
  company?: string
  sample?: boolean
  complaint?: Said | string
}

export function invitationPage({ first, complaint, ...given }: InvitationPage): Page {
  return page(
    first ? say('Your workspace', 'Ihr Arbeitsbereich') : say('Welcome', 'Willkommen'),
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>${
      first
        ? say('You are the first one here and will be its administrator.', 'Sie sind als Erste hier und verwalten ihn.')
        : say(
            'You have been invited. Choose a password to sign in with.',
            'Sie wurden eingeladen. Wählen Sie ein Passwort, mit dem Sie sich anmelden.',
          )
    }</p>
<form method="post">
${first ? firstFields(given) : undefined}
<label>${password} <small>${say('(at least 12 characters)', '(mindestens 12 Zeichen)')}</small> <input name="password" type="password" autocomplete="new-password" required minlength="12" maxlength="200"${first ? undefined : html` autofocus`}></label>
${first ? sampleField(given.sample) : undefined}
<button>${first ? say('Create and sign in', 'Anlegen und anmelden') : say('Set the password', 'Passwort festlegen')}</button>
</form>`,
  )
}

function firstFields({ company = '', name = '', email: address = '' }: Omit<InvitationPage, 'first'>): Html {
  return html`<label>${say('Company or team', 'Firma oder Team')} <input name="company" autocomplete="organization" maxlength="120" autofocus value="${company}"></label>
<label>${say('Your name', 'Ihr Name')} <input name="name" autocomplete="name" required maxlength="120" value="${name}"></label>
<label>${email} <input name="email" type="email" autocomplete="username" required maxlength="254" value="${address}"></label>`
}

const sampleField = (chosen = false) =>
  html`<label class="check"><input type="checkbox" name="sample" value="yes"${chosen ? html` checked` : undefined}> <span>${say('Load the sample company', 'Beispielfirma laden')} <small>${say(
    'A help desk, a project and the work of some weeks. It can be removed at any time.',
    'Ein Helpdesk, ein Projekt und die Arbeit einiger Wochen. Sie lässt sich jederzeit wieder entfernen.',
  )}</small></span></label>`

/** Asks for the address of somebody who has forgotten the password. */
export function forgotPage(): Page {
  return page(
    say('Forgotten password', 'Passwort vergessen'),
    html`<p>${say(
      'Enter your e-mail address. You get a mail with a link that lets you choose a new password.',
      'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine Mail mit einem Link, über den Sie ein neues Passwort wählen.',
    )}</p>
<form method="post">
<label>${email} <input name="email" type="email" autocomplete="username" required maxlength="320" autofocus></label>
<button>${say('Send the link', 'Link senden')}</button>
</form>`,
  )
}

/** A message with the way to the sign-in. */
export function signInPage(title: Said, text: Said, address: string): Page {
  return page(title, html`<p>${text}</p><a class="other" href="${address}">${signIn}</a>`)
}

export function messagePage(title: Said, text: Said): Page {
  return page(title, html`<p>${text}</p>`)
}

export function errorPage(text: Said | string, code: string): Page {
  return page(say('This did not work', 'Das hat nicht geklappt'), html`<p>${text}</p><p><small>${code}</small></p>`)
}

export function signInRefusedPage(text: Said | string, back: string | undefined): Page {
  const again = say('Sign in another way', 'Anders anmelden')
  return page(
    say('You are not signed in', 'Sie sind nicht angemeldet'),
    html`${alert(text)}${back === undefined ? undefined : html`<a class="other" href="${back}">${again}</a>`}`,
  )
}
