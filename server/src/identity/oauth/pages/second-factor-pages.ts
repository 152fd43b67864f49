import { html, type Said, say } from './html.ts'
import { alert, type Page, page } from './page.ts'

/** The steps of a form after the password; the field `step` tells them apart. */
type SecondStep = 'code' | 'enrol' | 'done'

export const wrongCode = say(
  'This code is wrong, was used before, or has expired. Enter the code that the app shows now.',
  'Dieser Code ist falsch, wurde schon verwendet oder ist abgelaufen. Geben Sie den Code ein, den die App jetzt zeigt.',
)

const stepField = (step: SecondStep) => html`<input type="hidden" name="step" value="${step}">`
const codeField = (length: number) =>
  html`<label>Code <input name="code" inputmode="${length > 6 ? 'text' : 'numeric'}" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" required maxlength="40" autofocus></label>`
const goOn = html`<button>${say('Continue', 'Weiter')}</button>`

/** Asks for a code of the authenticator app, or for a recovery code. */
export function codePage(complaint?: Said): Page {
  return page(
    say('Enter the code', 'Code eingeben'),
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>${say(
      'Open your authenticator app and enter the code for Gantry. Without the app, enter one of your recovery codes.',
      'Öffnen Sie Ihre Authenticator-App, und geben Sie den Code für Gantry ein. Ohne die App geben Sie einen Ihrer Wiederherstellungscodes ein.',
    )}</p>
<form method="post">
${stepField('code')}
${codeField(40)}
${goOn}
</form>`,
  )
}

/** Lets a user set up an authenticator app, because the workspace requires it. */
export function enrolmentPage({ secret, uri, complaint }: { secret: string; uri: string; complaint?: Said }): Page {
  return page(
    say('Set up a second factor', 'Zweiten Faktor einrichten'),
    html`${complaint === undefined ? undefined : alert(complaint)}
<p>${say(
      'Your workspace requires a second factor. Add this key to an authenticator app, then enter the code that the app shows.',
      'Ihr Arbeitsbereich verlangt einen zweiten Faktor. Fügen Sie diesen Schlüssel einer Authenticator-App hinzu, und geben Sie dann den Code ein, den sie zeigt.',
    )}</p>
<p>${say('Key', 'Schlüssel')}<br><code class="key">${grouped(secret)}</code></p>
<p><small>${say('On this device, an app may open this address:', 'Auf diesem Gerät kann eine App diese Adresse öffnen:')} <a href="${uri}">${uri}</a></small></p>
<form method="post">
${stepField('enrol')}
${codeField(6)}
${goOn}
</form>`,
  )
}

/** Shows the recovery codes, once. */
export function recoveryCodesPage(codes: readonly string[]): Page {
  return page(
    say('Keep your recovery codes', 'Wiederherstellungscodes aufbewahren'),
    html`<p>${say(
      'The second factor is set up. If you lose the app, each of these codes signs you in once. Keep them in a safe place: they are not shown again.',
      'Der zweite Faktor ist eingerichtet. Verlieren Sie die App, meldet Sie jeder dieser Codes einmal an. Bewahren Sie sie sicher auf: Sie werden nicht noch einmal gezeigt.',
    )}</p>
<ul class="codes">${codes.map(code => html`<li><code class="key">${code}</code></li>`)}</ul>
<form method="post">
${stepField('done')}
<button>${say('I have kept them', 'Ich habe sie aufbewahrt')}</button>
</form>`,
  )
}

const grouped = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? secret
