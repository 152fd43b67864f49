import { roleCodes } from '../../kernel/access.ts'
import type { Finding } from '../../kernel/record/record.ts'
import type { EntraMeta } from './entra-meta-shape.ts'

/** What of a provider is stored and does nothing. */
export function metaFindings(meta: EntraMeta): Finding[] {
  return [...blockingFindings(meta), ...ineffectiveFindings(meta)]
}

/** Whether people can sign on there at all. */
export function isOffered(meta: EntraMeta): boolean {
  return meta.active && !meta.deleted && blockingFindings(meta).length === 0
}

/** Without these nobody can be sent there. */
export function blockingFindings({ provider, entraTenantId, issuer, clientId }: EntraMeta): Finding[] {
  const found: Finding[] = []
  if (provider !== 'entra' && provider !== 'oidc')
    found.push({ path: '/provider', code: 'unknown-provider', message: 'only entra and oidc are known here' })
  if (provider === 'entra' && entraTenantId === '')
    found.push({
      path: '/entraTenantId',
      code: 'no-directory',
      message: 'the id of the directory is missing; without it everybody of every directory could come in',
    })
  if (provider === 'oidc' && issuer === '')
    found.push({ path: '/issuer', code: 'no-issuer', message: 'the issuer is missing' })
  if (clientId === '')
    found.push({ path: '/clientId', code: 'no-client', message: 'the id of the application there is missing' })
  return found
}

function ineffectiveFindings({ jitProvisioning, allowedDomains, groupMappings, groupOverage }: EntraMeta): Finding[] {
  const found: Finding[] = []
  if (jitProvisioning && allowedDomains.length === 0)
    found.push({
      path: '/allowedDomains',
      code: 'no-domain',
      message: 'no domain is allowed, so nobody is made a user by signing on',
    })
  for (const [i, { role = 0 }] of groupMappings.entries())
    if (role !== 0 && !roleCodes[role])
      found.push({ path: `/groupMappings/${i}/role`, code: 'unknown-code', message: `${role} means nothing here` })
  if (groupOverage !== null && groupMappings.length > 0)
    found.push({
      path: '/groupClaim',
      code: 'group-overage',
      message:
        'somebody is in more groups than fit into a token, and kept those they had here; let the provider send only the groups assigned to the application',
    })
  return found
}
