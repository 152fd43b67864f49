import type { Ctx } from 'oidc-provider'
import { deviceCodePage, deviceConfirmPage, errorPage, logoutPage, messagePage, pagePolicy } from './pages.ts'

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

function complaintAbout({ name, userCode }: Error & { userCode?: string }): string {
  if (userCode !== undefined || name === 'NoCodeError')
    return 'This code is unknown or has expired. Check it, or get a new code on the device.'
  if (name === 'AbortedError') return 'The device was refused.'
  return 'Something went wrong. Get a new code on the device.'
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
  show(ctx, messagePage('The device is connected', 'You can close this page and continue on the device.'))
}

export async function askForLogout(ctx: Ctx): Promise<void> {
  show(ctx, logoutPage(formOf(ctx, 'end_session_confirm')))
}

export async function signedOut(ctx: Ctx): Promise<void> {
  show(ctx, messagePage('You are signed out', 'You can close this page.'))
}

export async function showError(ctx: Ctx, out: { error: string; error_description?: string }): Promise<void> {
  show(ctx, errorPage(sentence(out.error_description ?? 'something went wrong'), out.error))
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`
}

function show(ctx: Ctx, page: string): void {
  ctx.type = 'html'
  ctx.set('content-security-policy', pagePolicy())
  ctx.set('cache-control', 'no-store')
  ctx.body = page
}

const formOf = ({ oidc }: Ctx, route: string) => ({
  action: oidc.urlFor(route),
  xsrf: oidc.session?.state?.secret ?? '',
})
