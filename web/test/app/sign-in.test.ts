import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedTestService } from '../../../server/test/support/people.ts'
import { webName, webPassword } from '../../../server/test/support/web-user.ts'
import { openBrowsers, refuseFaults, withoutBrowser } from '../browser.ts'

test('ana adds a passkey in the app, and signs in with it on the German page', { skip: withoutBrowser }, async () => {
  const { ada, base, person } = await sharedTestService()
  const email = 'ana.passkey@example.com'
  const { id } = await person({ name: 'Ana', email })
  await ada.post(`/user/${id}/password`, { password: webPassword })
  const { sit } = await openBrowsers({ base })
  const seat = await sit(email, '/people', { onPage: true, apart: true })
  const { page, context } = seat
  assert.equal(page.url(), `${webName}/people`) // the way led to the page that was asked for
  const devices = await context.newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  // A text, because the types of the tests know no page.
  const added = await page.evaluate(`(async () => {
    const post = (path, body) => fetch('/api/user/me/passkey' + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gantry': 'web' },
      body: JSON.stringify(body),
    })
    const asked = await (await post('/options', { password: ${JSON.stringify(webPassword)} })).json()
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked)
    const made = await navigator.credentials.create({ publicKey })
    return (await post('', { name: 'Laptop', response: made })).status
  })()`)
  assert.equal(added, 201)

  await context.clearCookies()
  await context.setExtraHTTPHeaders({ 'accept-language': 'de-AT,en;q=0.5' })
  await page.goto(`${webName}/sign-in`)
  // The browser may offer the passkey in the field by itself; the button works in any case.
  await Promise.race([
    page.waitForURL(`${webName}/`),
    page
      .getByRole('button', { name: 'Passkey verwenden' })
      .click({ timeout: 60_000 })
      .then(() => page.waitForURL(`${webName}/`)),
  ])
  await page.waitForSelector('.app')
  refuseFaults(seat)
})

test('the next user of a browser is not shown what it keeps of the last one', { skip: withoutBrowser }, async () => {
  const { ada, base, person } = await sharedTestService()
  const [vera, willi] = ['vera.kept@example.com', 'willi.kept@example.com']
  for (const email of [vera, willi]) {
    const { id } = await person({ name: email, email })
    await ada.post(`/user/${id}/password`, { password: webPassword })
  }
  const { sit } = await openBrowsers({ base })
  const { page, context } = await sit(vera, '/people', { apart: true })
  // A text, because the types of the tests know no page.
  const me = () =>
    page.evaluate(
      "fetch('/api/user/me', { headers: { 'x-gantry': 'web' } }).then(answer => answer.json()).then(({ email }) => email)",
    )
  assert.equal(await me(), vera)
  // The session of the first one ends without a sign-out, which would empty the cache.
  await context.clearCookies()
  await page.goto(`${webName}/people`)
  await page.fill('input[type=email], input[name=email]', willi)
  await page.fill('input[type=password]', webPassword)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.app')
  assert.equal(await me(), willi)
})
