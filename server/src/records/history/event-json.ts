import { type Sql, sql } from '../../kernel/sql.ts'
import { wholeChanges } from './whole-changes.ts'

/** The JSON of event `e` in replies, with all its changes or with those that a caller sees. */
export const eventJson = (changes: Sql = wholeChanges): Sql => sql`json_build_object(
  'seq', e.xact::text || '-' || e.id::text, 'id', e.id, 'tenantId', e.tenant_id, 'at', to_char(e.at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'type', e.kind, 'entity', e.entity, 'recordId', e.record_id,
  'actor', case when e.cause is null then json_build_object('id', e.actor_id, 'kind', e.actor_kind)
    else json_build_object('id', e.actor_id, 'kind', e.actor_kind, 'ruleId', e.cause ->> 'ruleId') end, 'changeSetId', e.change_set_id, 'changes', ${changes})`
