import { noRole, roleCodes } from '../../kernel/access.ts'
import type { Finding } from '../../kernel/record/record.ts'
import type { EntraMeta } from './entra-meta-shape.ts'

/** Reports properties of a provider that are stored and have no effect. */
export function metaFindings(meta: EntraMeta): Finding[] {
  return [...blockingFindings(meta), ...ineffectiveFindings(meta)]
}

/** Whether users can sign on through the provider. */
export function isOffered(meta: EntraMeta): boolean {
  return meta.active && !meta.deleted && blockingFindings(meta).length === 0
}

/** Reports problems that prevent every sign-on. */
export function blockingFindings({ provider, entraTenantId, issuer, clientId }: EntraMeta): Finding[] {
  const found: Finding[] = []
  if (provider !== 'entra' && provider !== 'oidc')
    found.push({ path: '/provider', code: 'unknown-provider', message: 'the provider must be entra or oidc' })
  if (provider === 'entra' && entraTenantId === '')
    found.push({
      path: '/entraTenantId',
      code: 'no-directory',
      message: 'the id of the directory is missing; without it users of every directory could sign in',
    })
  if (provider === 'oidc' && issuer === '')
    found.push({ path: '/issuer', code: 'no-issuer', message: 'the issuer is missing' })
  if (clientId === '')
    found.push({
      path: '/clientId',
      code: 'no-client',
      message: 'the id of the application at the provider is missing',
    })
  return found
}

function ineffectiveFindings({ jitProvisioning, allowedDomains, groupMappings, groupOverage }: EntraMeta): Finding[] {
  const found: Finding[] = []
  if (jitProvisioning && allowedDomains.length === 0)
    found.push({
      path: '/allowedDomains',
      code: 'no-domain',
      message: 'no domain is allowed, so a sign-on creates no users',
    })
  for (const [i, { role = noRole }] of groupMappings.entries())
    if (role !== noRole && !roleCodes[role])
      found.push({ path: `/groupMappings/${i}/role`, code: 'unknown-code', message: `${role} is not a known role` })
  if (groupOverage !== null && groupMappings.length > 0)
    found.push({
      path: '/groupClaim',
      code: 'group-overage',
      message:
        'a user has more groups than fit into a token, so their groups were not updated; let the provider send only the groups assigned to the application',
    })
  return found
}
