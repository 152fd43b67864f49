import { Type } from 'typebox'
import type { Stored, Values } from '../../kernel/record/record.ts'
import { Instant, Name, Parts, Ref, Text, Texts, Url } from '../../kernel/schema/values.ts'
import { Code } from '../../records/code-table.ts'
import { roles } from '../../records/role-table.ts'

export const groupMapping = {
  externalGroupId: Text(200, { minLength: 1 }),
  userGroupId: Ref('UserGroup'),
  role: Code(roles),
}

export const entraMetaShape = {
  name: Name(120),
  provider: Text(20, { default: 'entra', examples: ['entra'] }),
  entraTenantId: Text(36),
  authority: Url,
  issuer: Url,
  clientId: Text(200),
  clientSecret: Text(1000, { writeOnly: true }),
  scopes: Texts(20, 100),
  groupClaim: Text(100),
  groupMappings: Parts(groupMapping, ['externalGroupId'], 500),
  jitProvisioning: Type.Boolean(),
  allowedDomains: Texts(100, 253),
  active: Type.Boolean(),
  lastSignOn: Instant,
  groupOverage: Instant,
}

export type EntraMeta = Stored<typeof entraMetaShape>
export type MetaValues = Values<typeof entraMetaShape>
