import type { Ctx } from 'oidc-provider'
import { pageLanguage, type Said, say } from './html.ts'
import type { Page } from './page.ts'
import { deviceCodePage, deviceConfirmPage, errorPage, logoutPage, messagePage } from './pages.ts'

export async function askForCode(
  ctx: Ctx,
  _form: string,
  _out?: unknown,
  error?: Error & { userCode?: string },
): Promise<void> {
  const code = error?.userCode ?? (typeof ctx.state.userCode === 'string' ? ctx.state.userCode : '')
  const complaint = error && { complaint: complaintAbout(error) }
  show(ctx, deviceCodePage({ ...formOf(ctx, 'code_verification'), code, ...complaint }))
}

function complaintAbout({ name, userCode }: Error & { userCode?: string }): Said {
  if (userCode !== undefined || name === 'NoCodeError')
    return say(
      'This code is unknown or has expired. Check it, or get a new code on the device.',
      'Dieser Code ist unbekannt oder abgelaufen. Prüfen Sie ihn, oder holen Sie am Gerät einen neuen.',
    )
  if (name === 'AbortedError') return say('The device was refused.', 'Das Gerät wurde abgelehnt.')
  return say(
    'Something went wrong. Get a new code on the device.',
    'Etwas ist schiefgegangen. Holen Sie am Gerät einen neuen Code.',
  )
}

export async function confirmDevice(
  ctx: Ctx,
  _form: string,
  client: { clientId: string; clientName?: string },
  _info: unknown,
  code: string,
): Promise<void> {
  show(
    ctx,
    deviceConfirmPage({ ...formOf(ctx, 'code_verification'), code, client: client.clientName ?? client.clientId }),
  )
}

export async function deviceConnected(ctx: Ctx): Promise<void> {
  show(
    ctx,
    messagePage(
      say('The device is connected', 'Das Gerät ist verbunden'),
      say(
        'You can close this page and continue on the device.',
        'Sie können diese Seite schließen und am Gerät weitermachen.',
      ),
    ),
  )
}

export async function askForLogout(ctx: Ctx): Promise<void> {
  show(ctx, logoutPage(formOf(ctx, 'end_session_confirm')))
}

export async function signedOut(ctx: Ctx): Promise<void> {
  show(
    ctx,
    messagePage(
      say('You are signed out', 'Sie sind abgemeldet'),
      say('You can close this page.', 'Sie können diese Seite schließen.'),
    ),
  )
}

export async function showError(ctx: Ctx, out: { error: string; error_description?: string }): Promise<void> {
  show(ctx, errorPage(sentence(out.error_description ?? 'something went wrong'), out.error))
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

function show(ctx: Ctx, page: Page): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', page.policy())
  ctx.set('cache-control', 'no-store')
  ctx.body = page.in(pageLanguage(ctx.req.headers['accept-language']))
}

const formOf = ({ oidc }: Ctx, route: string) => ({
  action: oidc.urlFor(route),
  xsrf: oidc.session?.state?.secret ?? '',
})
