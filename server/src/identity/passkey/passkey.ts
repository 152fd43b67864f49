import { isIP } from 'node:net'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from '../../kernel/context.ts'
import { appendEvents } from '../../kernel/events.ts'
import { type Id, newId } from '../../kernel/id.ts'
import { fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'

/** A key on a device of a user that signs in instead of a password. */
interface Passkey {
  id: Id
  name: string
  created: Date
  lastUsed: Date | null
}

/** Where passkeys are valid; undefined if the installation is known by an address only, for which no browser makes one. */
export function relyingParty(baseUrl: string): { id: string; origin: string } | undefined {
  const { hostname, origin } = new URL(baseUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? undefined : { id: hostname, origin }
}

const maxPasskeys = 20
/** How long a device may take; ms. */
const maxDuration = 10 * 60_000

/** Begins to add a passkey: returns the options for `navigator.credentials.create`. */
export async function proposePasskey(ctx: Context, userId: Id): Promise<object> {
  const { id: rpID } = demandParty(ctx)
  const [user] = await ctx.sql<{ name: string; email: string; known: Buffer[] }>`select u.name, u.email,
      array(select credential_id from passkey p where p.tenant_id = ${ctx.caller.tenantId} and p.user_id = u.id) as known
    from "user" u where u.tenant_id = ${ctx.caller.tenantId} and u.id = ${userId}`
  const known = user?.known ?? []
  if (known.length >= maxPasskeys)
    throw new RuleBroken('too-many-passkeys', `a user has at most ${maxPasskeys} passkeys`)
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  const options = await generateRegistrationOptions({
    rpName: 'Gantry',
    rpID,
    userID: handleOf(userId),
    userName: user?.email || (user?.name ?? ''),
    userDisplayName: user?.name ?? '',
    attestationType: 'none',
    excludeCredentials: known.map(each => ({ id: each.toString('base64url') })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  const expires = new Date(ctx.now.getTime() + maxDuration)
  await ctx.sql`insert into passkey_challenge (tenant_id, user_id, challenge, expires)
    values (${ctx.caller.tenantId}, ${userId}, ${options.challenge}, ${expires})
    on conflict (tenant_id, user_id) do update set challenge = excluded.challenge, expires = excluded.expires`
  return options
}

/** Stores the passkey that a device has made for the last challenge of the user, which counts once. */
export async function addPasskey(
  ctx: Context,
  userId: Id,
  { name, response }: { name: string; response: RegistrationResponseJSON },
): Promise<Passkey> {
  const { id: expectedRPID, origin: expectedOrigin } = demandParty(ctx)
  const { tenantId } = ctx.caller
  const [asked] = await ctx.sql<{ challenge: string }>`delete from passkey_challenge
    where tenant_id = ${tenantId} and user_id = ${userId} and expires > ${ctx.now} returning challenge`
  if (!asked) throw new RuleBroken('no-passkey-challenge', 'ask for the options first; they are valid for ten minutes')
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const expected = { expectedChallenge: asked.challenge, expectedOrigin, expectedRPID }
  const { registrationInfo } = await verifyRegistrationResponse({ response, ...expected }).catch(() => ({
    registrationInfo: undefined, // the library throws for whatever does not match
  }))
  if (!registrationInfo)
    throw new Invalid([fault(['response'], 'passkey', 'is not a valid answer of a device to these options')])
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  const passkey: Passkey = { id: newId(), name, created: ctx.now, lastUsed: null }
  const [stored] =
    await ctx.sql`insert into passkey (tenant_id, id, user_id, credential_id, public_key, counter, transports, name, created)
    values (${tenantId}, ${passkey.id}, ${userId}, ${Buffer.from(credentialId, 'base64url')}::bytea, ${Buffer.from(publicKey)}::bytea, ${counter},
      ${response.response.transports ?? []}::text[], ${name}, ${ctx.now})
    on conflict do nothing returning true`
  if (!stored) throw new Invalid([fault(['response'], 'passkey', 'this passkey is known already')])
  await noteChange(ctx, userId, 'user.passkeyAdded', name)
  return passkey
}

export async function listPasskeys({ sql, caller }: Context, userId: Id): Promise<Passkey[]> {
  return await sql<Passkey>`select id, name, created, last_used as "lastUsed" from passkey
    where tenant_id = ${caller.tenantId} and user_id = ${userId} order by created, id`
}

/** Returns false if the user has no such passkey. */
export async function removePasskey(ctx: Context, userId: Id, id: Id): Promise<boolean> {
  const [gone] = await ctx.sql<{ name: string }>`delete from passkey
    where tenant_id = ${ctx.caller.tenantId} and user_id = ${userId} and id = ${id} returning name`
  if (!gone) return false
  await noteChange(ctx, userId, 'user.passkeyRemoved', gone.name)
  return true
}

/** Deletes the passkeys of an anonymised user. */
export async function forgetPasskeys({ sql, caller }: Context, userId: Id): Promise<void> {
  await sql`delete from passkey where tenant_id = ${caller.tenantId} and user_id = ${userId}`
  await sql`delete from passkey_challenge where tenant_id = ${caller.tenantId} and user_id = ${userId}`
}

async function noteChange(ctx: Context, userId: Id, kind: string, name: string): Promise<void> {
  const changes = kind === 'user.passkeyAdded' ? { passkey: { to: name } } : { passkey: { from: name } }
  await appendEvents(ctx, [{ kind, entity: 'User', recordId: userId, changes }])
}

function demandParty({ services }: Context): { id: string; origin: string } {
  const party = relyingParty(services.baseUrl)
  if (party) return party
  throw new RuleBroken(
    'passkeys-need-a-name',
    'browsers accept passkeys only where BASE_URL has a name instead of an address',
  )
}

/** The bytes by which a device names the user. */
export const handleOf = (userId: Id) => new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'))
