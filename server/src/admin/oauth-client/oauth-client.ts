import { Type } from 'typebox'
import { randomWord } from '../../identity/api-key-secret.ts'
import { clientKind } from '../../identity/oauth/provider/tenant-clients.ts'
import { isScope, scopeDemand } from '../../identity/scope.ts'
import { admins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { Instant, Name, Text } from '../../kernel/schema/values.ts'
import { Code, codeTableOfCodes } from '../../records/code-table.ts'
import { freshSecret } from './client-secret.ts'
import { redirectFault } from './redirect-address.ts'

const shape = {
  name: Name(120),
  homepage: Text(500, { description: 'The website of the program (https), shown beside its name.' }),
  clientId: Text(40, { description: 'How the program names itself at `/oauth/auth`; unique in the installation.' }),
  kind: Code(codeTableOfCodes('oauthClient.kind', clientKind)),
  redirectUris: Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
    maxItems: 20,
    description:
      'Where answers are sent: https, or `http://127.0.0.1` and `http://[::1]` for programs on the device of the user, whose port is not compared. Otherwise the address of a request must be one of these, character by character.',
  }),
  scopes: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    description:
      'The scopes that the program may ask for, as API keys have them (`item:read`, `*:write`, `agent`). Without one it only learns who somebody is.',
  }),
  active: Type.Boolean({ default: true }),
  secretLast4: Text(4, { description: 'The end of the present secret; empty if there is none.' }),
  previousSecretUntil: Instant,
}

type OAuthClient = Stored<typeof shape>
export type OAuthClientInput = Partial<Values<typeof shape>>

/** A program that users of the tenant may sign in to. */
export const oauthClients = resource('OAuthClient', {
  about:
    'A program that users of the tenant may let act for them (OAuth 2). Its tokens have the rights of the user within its scopes, and end when it is switched off or deleted.',
  shape,
  area: 'oauthClient',
  table: 'oauth_client',
  required: ['name', 'redirectUris'],
  serverSet: ['clientId', 'secretLast4', 'previousSecretUntil'],
  may: { read: admins, create: admins, update: admins, delete: admins },
  credential: true,
  check: checkClient,
  remembered: true,
  example: {
    name: 'Status board',
    homepage: 'https://board.example.com',
    redirectUris: ['https://board.example.com/callback'],
    scopes: ['item:read'],
  },
})

function checkClient(_ctx: Context, { homepage, redirectUris, scopes }: Values<typeof shape>): void {
  const faults: Fault[] = []
  if (homepage !== '' && !(URL.canParse(homepage) && new URL(homepage).protocol === 'https:'))
    faults.push(fault(['homepage'], 'url', 'must be an address that begins with https://', homepage))
  if (redirectUris.length === 0) faults.push(fault(['redirectUris'], 'required', 'must have an entry'))
  for (const [i, address] of redirectUris.entries()) {
    const complaint = redirectFault(address)
    if (complaint) faults.push(fault(['redirectUris', i], 'redirect-address', complaint, address))
  }
  for (const [i, scope] of scopes.entries())
    if (!isScope(scope)) faults.push(fault(['scopes', i], 'scope', scopeDemand, scope))
  if (faults.length > 0) throw new Invalid(faults)
}

/** How many clients a tenant may have. */
const maxClients = 200

/** Registers a client. Only this result contains its secret, if it has one. */
export async function register(
  ctx: Context,
  input: OAuthClientInput,
): Promise<OAuthClient & { RawSecret: string | null }> {
  const [row] = await ctx.sql<{ count: number }>`select count(*)::int as count from oauth_client
    where tenant_id = ${ctx.caller.tenantId} and not deleted`
  if ((row?.count ?? 0) >= maxClients)
    throw new RuleBroken('too-many-oauth-clients', `a tenant has at most ${maxClients} clients; delete one first`)
  const secret = input.kind === clientKind.confidential ? freshSecret() : undefined
  const values = { ...input, clientId: `gtc_${randomWord(20)}`, secretLast4: secret?.last4 ?? '' }
  const client = await oauthClients.create(ctx, values, secret ? { own: secret.columns } : {})
  return { ...client, RawSecret: secret?.plain ?? null }
}
