import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Adapter, Interaction } from 'oidc-provider'
import type { Database } from '../../kernel/database.ts'
import type { Id } from '../../kernel/id.ts'
import { type AccountRef, accountIdOf, findAccount } from '../oauth/accounts.ts'
import { tenantCaller } from '../tenant-caller.ts'
import { handleOf, relyingParty } from './passkey.ts'

/** What the sign-in page needs to offer passkeys. */
interface PasskeyOffer {
  challenge: string
  rpId: string
}

/** Sign-in by passkey, of one interaction at a time. */
export interface PasskeySignIn {
  /** Undefined where no browser has a passkey. */
  offer(interaction: Interaction): Promise<PasskeyOffer | undefined>
  /** Verifies an answer to the last offer of this interaction, which counts once; undefined if nobody knows the passkey. */
  verify(interaction: Interaction, response: string): Promise<{ holder: AccountRef; valid: boolean } | undefined>
}

/** How long a sign-in page can be used; seconds. */
const maxDuration = 3600

export function openPasskeySignIn(database: Database, challenges: Adapter, baseUrl: string): PasskeySignIn {
  const party = relyingParty(baseUrl)
  return {
    async offer({ uid }) {
      if (!party) return undefined
      const challenge = randomBytes(32).toString('base64url')
      await challenges.upsert(uid, { challenge }, maxDuration)
      return { challenge, rpId: party.id }
    },
    async verify({ uid }, text) {
      const asked = await challenges.find(uid)
      await challenges.destroy(uid)
      const response = readResponse(text)
      if (!party || !asked || !response) return undefined
      const passkey = await findPasskey(database, response)
      if (!passkey) return undefined
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
      const result = await verifyAuthenticationResponse({
        response,
        expectedChallenge: String(asked.challenge),
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: {
          id: response.id,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: passkey.counter,
        },
      }).catch(() => undefined) // the library throws for whatever does not match
      const valid =
        result?.verified === true &&
        (await findAccount(database, accountIdOf(passkey))) !== undefined &&
        (await noteUse(database, passkey, result.authenticationInfo.newCounter))
      return { holder: passkey, valid }
    },
  }
}

interface FoundPasskey extends AccountRef {
  id: Id
  publicKey: Buffer
  counter: number
}

function readResponse(text: string): AuthenticationResponseJSON | undefined {
  try {
    const given = JSON.parse(text)
    const isWhole = [
      given.id,
      given.response.clientDataJSON,
      given.response.authenticatorData,
      given.response.signature,
      given.response.userHandle,
    ].every(each => typeof each === 'string')
    return isWhole ? given : undefined
  } catch {
    return undefined
  }
}

/** The passkey that has answered; the device must name the same user as the passkey belongs to. */
async function findPasskey(
  { crossTenantSql }: Database,
  { id, response }: AuthenticationResponseJSON,
): Promise<FoundPasskey | undefined> {
  const [passkey] = await crossTenantSql<FoundPasskey>`
    select p.tenant_id as "tenantId", p.id, p.user_id as "userId", p.public_key as "publicKey", p.counter::float8 as counter, u.auth_version as "authVersion"
    from passkey p join "user" u on u.tenant_id = p.tenant_id and u.id = p.user_id
    where p.credential_id = ${Buffer.from(id, 'base64url')}::bytea`
  const handle = passkey && Buffer.from(handleOf(passkey.userId)).toString('base64url')
  return handle === response.userHandle ? passkey : undefined
}

/** Of two answers with the same counter, one succeeds. */
async function noteUse(
  database: Database,
  { tenantId, id, counter }: FoundPasskey,
  newCounter: number,
): Promise<boolean> {
  const rows = await database.single(
    tenantCaller(tenantId),
    ctx => ctx.sql`update passkey set counter = ${newCounter}, last_used = ${ctx.now}
      where tenant_id = ${tenantId} and id = ${id} and counter = ${counter} returning true`,
  )
  return rows.length > 0
}

/** Sends the script of the sign-in page, which asks the browser for a passkey. */
export function sendPasskeyScript(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=3600').send(script)
}

// Offers passkeys in the field for the address, where the browser can, and by a button.
const script = `(() => {
  const form = document.getElementById('passkey')
  if (!form || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) return
  const { challenge, rpId } = form.dataset
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ challenge, rpId, userVerification: 'required' })
  const waiting = new AbortController()
  const send = credential => {
    form.elements.response.value = JSON.stringify(credential)
    form.submit()
  }
  form.hidden = false
  form.addEventListener('submit', event => {
    event.preventDefault()
    waiting.abort()
    navigator.credentials.get({ publicKey }).then(send, () => {})
  })
  PublicKeyCredential.isConditionalMediationAvailable?.().then(offered => {
    if (offered) navigator.credentials.get({ mediation: 'conditional', signal: waiting.signal, publicKey }).then(send, () => {})
  })
})()
`
