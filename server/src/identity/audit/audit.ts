import { admins, type Caller, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, newId, operatorId } from '../../kernel/id.ts'
import { resource } from '../../kernel/resource.ts'
import { Text } from '../../kernel/schema/values.ts'
import { keysOf } from '../../records/references/keys-of.ts'

/** From where and by which credential a request came. */
export interface Origin {
  address: string
  credential: 'password' | 'passkey' | 'provider' | 'apiKey' | 'token' | 'session' | 'command' | 'service'
  /** The id of the key, or the session that the token or cookie belongs to. */
  credentialId: string
  /** The OAuth client. */
  client: string
}

declare module '../../kernel/access.ts' {
  interface Caller {
    /** Absent if the service acts by itself. */
    readonly origin?: Origin
  }
}

const actions =
  '`signIn`, `token` (a refused token request), `keyUse` (the first use of an API key from an address on a day), `export`, `breakGlass`, `rights` (a change of rights or credentials; `reason` is the type of its event), `setting` (a change of a setting that decides who gets in; `reason` has its key, the old and the new value), `consent` (what a user has allowed or refused a client, or taken back; the record is the client), `closeTime` (the last closed day of time; `reason` has the old and the new one, and why).'

const shape = {
  action: Text(40, { description: actions }),
  outcome: Text(20, { description: '`ok`, `refused`, or `locked` (the account is locked).' }),
  reason: Text(1000),
  userId: Text(36, { description: 'Who acted, or whose account it was; empty if unknown.' }),
  address: Text(64, { description: 'The address of the client.' }),
  credential: Text(20, {
    description:
      '`password`, `passkey`, `provider`, `apiKey`, `token`, `session` (the cookie of the web app), `command` or `service`.',
  }),
  credentialId: Text(200, { description: 'The id of the API key, or the session of the token.' }),
  client: Text(200, { description: 'The OAuth client.' }),
  recordKind: Text(60, { description: 'The kind of the record concerned.' }),
  recordId: Text(36),
  changeSetId: Text(36),
}

/** An entry of the audit log. Nobody changes or deletes one. */
export const auditEntries = resource('AuditEntry', {
  about: 'An entry of the audit log: who did what, when, from which address and by which credential, with the outcome.',
  shape,
  required: [],
  serverSet: keysOf(shape),
  may: { read: admins, create: superAdmins, update: superAdmins, delete: superAdmins },
  area: 'audit',
  table: 'audit_entry',
  order: 'created',
})

export type AuditAction =
  | 'signIn'
  | 'token'
  | 'keyUse'
  | 'export'
  | 'breakGlass'
  | 'rights'
  | 'setting'
  | 'consent'
  | 'closeTime'
export type AuditOutcome = 'ok' | 'refused' | 'locked'

interface NewAuditEntry {
  action: AuditAction
  outcome?: AuditOutcome
  reason?: string
  recordKind?: string
  recordId?: Id
  changeSetId?: Id
  /** An id that the same fact always has: it is written once. */
  id?: Id
}

/** The origin of what the service does by itself, for somebody or on its schedule. */
const service: Origin = { address: '', credential: 'service', credentialId: '', client: '' }

/** Writes an entry about the caller, in the caller's transaction. */
export async function appendAudit(ctx: Context, entry: NewAuditEntry): Promise<void> {
  const { action, outcome = 'ok', reason = '', recordKind = '', recordId = '', changeSetId = '' } = entry
  const { tenantId, userId, origin = service } = ctx.caller
  await ctx.sql`insert into audit_entry (tenant_id, id, created, created_by, updated, updated_by, action, outcome, reason,
      user_id, address, credential, credential_id, client, record_kind, record_id, change_set_id)
    values (${tenantId}, ${entry.id ?? newId()}, ${ctx.now}, ${userId}, ${ctx.now}, ${userId}, ${action}, ${outcome}, ${reason.slice(0, 1000)},
      ${knownUser(ctx.caller)}, ${origin.address}, ${origin.credential}, ${origin.credentialId}, ${origin.client}, ${recordKind}, ${recordId}, ${changeSetId})
    on conflict (tenant_id, id) do nothing`
}

/**
 * Writes one entry for each event of this change set that changed rights or credentials. `changes` names the properties
 * that matter of the kinds of which not all do.
 */
export async function appendRightsAudit(
  ctx: Context,
  kinds: Readonly<Record<string, readonly string[] | 'all'>>,
): Promise<void> {
  const { tenantId, userId, origin = service } = ctx.caller
  const whole = Object.keys(kinds).filter(entity => kinds[entity] === 'all')
  const partly = Object.entries(kinds).flatMap(([entity, names]) =>
    names === 'all' ? [] : names.map(property => ({ entity, property })),
  )
  await ctx.sql`insert into audit_entry (tenant_id, id, created, created_by, updated, updated_by, action, outcome, reason,
      user_id, address, credential, credential_id, client, record_kind, record_id, change_set_id)
    select e.tenant_id, gen_random_uuid(), e.at, ${userId}, e.at, ${userId}, 'rights', 'ok', e.kind, ${knownUser(ctx.caller)},
      ${origin.address}, ${origin.credential}, ${origin.credentialId}, ${origin.client}, e.entity, e.record_id::text, e.change_set_id::text
    from event e where e.tenant_id = ${tenantId} and e.change_set_id = ${ctx.changeSet} and (e.entity = any(${whole}::text[])
      or exists (select 1 from jsonb_to_recordset(${JSON.stringify(partly)}::jsonb) as p (entity text, property text)
        where p.entity = e.entity and (e.changes ? p.property or split_part(e.kind, '.', 2) <> 'updated'))) returning 1`
}

const knownUser = ({ userId }: Caller) => (userId === operatorId ? '' : userId)
