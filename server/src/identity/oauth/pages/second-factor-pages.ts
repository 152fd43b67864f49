import { alert, html, page } from './pages.ts'

/** The steps of a form after the password; the field `step` tells them apart. */
type SecondStep = 'code' | 'enrol' | 'done'

export const wrongCode = 'This code is wrong, was used before, or has expired. Enter the code that the app shows now.'

const stepField = (step: SecondStep) => html`<input type="hidden" name="step" value="${step}">`
const codeField = (label: string, length: number) =>
  html`<label>${label} <input name="code" inputmode="${length > 6 ? 'text' : 'numeric'}" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="40" autofocus></label>`

/** Asks for a code of the authenticator app, or for a recovery code. */
export function codePage(complaint?: string): string {
  return page(
    'Enter the code',
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>Open your authenticator app and enter the code for Gantry. Without the app, enter one of your recovery codes.</p>
<form method="post">
${stepField('code')}
${codeField('Code', 40)}
<button>Continue</button>
</form>`,
  )
}

/** Lets a user set up an authenticator app, because the workspace requires it. */
export function enrolmentPage({ secret, uri, complaint }: { secret: string; uri: string; complaint?: string }): string {
  return page(
    'Set up a second factor',
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>Your workspace requires a second factor. Add this key to an authenticator app, then enter the code that the app shows.</p>
<p>Key<br><code class="key">${grouped(secret)}</code></p>
<p><small>On this device, an app may open this address: <a href="${uri}">${uri}</a></small></p>
<form method="post">
${stepField('enrol')}
${codeField('Code', 6)}
<button>Continue</button>
</form>`,
  )
}

/** Shows the recovery codes, once. */
export function recoveryCodesPage(codes: readonly string[]): string {
  return page(
    'Keep your recovery codes',
    html`<p>The second factor is set up. If you lose the app, each of these codes signs you in once. Keep them in a safe place: they are not shown again.</p>
<ul class="codes">${codes.map(code => html`<li><code class="key">${code}</code></li>`)}</ul>
<form method="post">
${stepField('done')}
<button>I have kept them</button>
</form>`,
  )
}

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
