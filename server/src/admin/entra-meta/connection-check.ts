import type { ServerMetadata } from 'openid-client'
import { operation } from '../../kernel/operation.ts'
import { type Finding, findingsSchema } from '../../kernel/record/record.ts'
import type { Schema } from '../../kernel/schema/shape.ts'
import { type Outbound, type OutboundRules, openOutbound } from '../../platform/outbound/outbound.ts'
import { type EntraMeta, entraMetas, registrationOf } from './entra-meta.ts'
import { blockingFindings, metaFindings } from './entra-meta-findings.ts'
import { describeFailure, discover, fetchThrough, type Registration } from './sign-on/provider-client.ts'

const checkSchema: Schema = {
  type: 'object',
  properties: {
    ok: {
      type: 'boolean',
      description: 'Whether users can be redirected to the provider, as far as this check can tell.',
    },
    issuer: { type: 'string', description: 'As the provider spells it; identities contain it.' },
    redirectPath: { type: 'string' },
    findings: { ...findingsSchema, description: 'The problems that were found.' },
  },
  required: ['ok', 'issuer', 'redirectPath', 'findings'],
}

interface ConnectionCheck {
  issuer: string
  findings: Finding[]
}

/** Checks that a provider is reachable and matches its record. Only a sign-on can check the client secret. */
export const testMeta = operation({
  permission: entraMetas.permissions.update,
  mode: 'read',
  summary: 'Test a provider',
  description:
    'Fetches the configuration and the keys of the provider, compares the issuer and reports problems. It signs nobody in, so it does not check the client secret.',
  reply: { status: 200, schema: checkSchema, description: 'The result of the test.' },
  refusals: [404],
  async run(ctx, { params }) {
    const meta = await entraMetas.get(ctx, params.id ?? '')
    const registration = await registrationOf(ctx, meta)
    // The reply is a stream, so that no database connection is occupied while the provider answers.
    return {
      async *stream() {
        const outbound = openOutbound(ctx.services.outboundRules)
        try {
          const { issuer, findings } = await checkConnection(meta, registration, outbound, ctx.services.outboundRules)
          const { redirectPath } = meta as EntraMeta & { redirectPath: string }
          yield JSON.stringify({ ok: findings.length === 0, issuer, redirectPath, findings })
        } finally {
          await outbound.close()
        }
      },
    }
  },
})

async function checkConnection(
  meta: EntraMeta,
  registration: Registration,
  outbound: Outbound,
  rules: OutboundRules,
): Promise<ConnectionCheck> {
  const stored = metaFindings(meta)
  if (blockingFindings(meta).length > 0) return { issuer: meta.issuer, findings: stored }
  const issuerPath = meta.provider === 'entra' ? '/entraTenantId' : '/issuer'
  let metadata: ServerMetadata
  try {
    metadata = await discover(registration, outbound, rules)
  } catch (error) {
    const message = `the configuration of ${meta.issuer} could not be read: ${describeFailure(error)}`
    return { issuer: meta.issuer, findings: [...stored, { path: issuerPath, code: 'no-configuration', message }] }
  }
  const wrong = await keysFault(metadata, registration, outbound)
  return {
    issuer: metadata.issuer,
    findings: [
      ...stored,
      ...missingEndpoints(metadata).map(message => ({ path: issuerPath, code: 'incomplete-configuration', message })),
      ...(wrong === undefined ? [] : [{ path: issuerPath, code: 'no-keys', message: wrong }]),
    ],
  }
}

function missingEndpoints({ authorization_endpoint, token_endpoint, jwks_uri }: ServerMetadata): string[] {
  return Object.entries({ authorization_endpoint, token_endpoint, jwks_uri })
    .filter(([, address]) => address === undefined)
    .map(([name]) => `the configuration of the provider has no ${name}`)
}

async function keysFault(
  { jwks_uri }: ServerMetadata,
  { tenantId }: Registration,
  outbound: Outbound,
): Promise<string | undefined> {
  if (jwks_uri === undefined) return undefined
  try {
    const answer = await fetchThrough(outbound, tenantId)(jwks_uri, {
      method: 'GET',
      headers: { accept: 'application/json' },
      body: undefined,
      redirect: 'manual',
    })
    const set: unknown = await answer.json()
    const keys = set !== null && typeof set === 'object' && 'keys' in set ? set.keys : undefined
    if (answer.status === 200 && Array.isArray(keys) && keys.length > 0) return undefined
    return 'the provider publishes no keys'
  } catch (error) {
    return `the keys of the provider could not be read: ${error instanceof SyntaxError ? 'they are not JSON' : describeFailure(error)}`
  }
}
