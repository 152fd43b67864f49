import { users } from '../../admin/user/user.ts'
import { anonymise, userToAnonymise } from '../../admin/user-anonymise.ts'
import { renameAuthor } from '../../documents/rename-author.ts'
import { permission, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { forgetWords } from '../../language/search/search.ts'
import { type Forgotten, withoutPerson } from '../../records/history/forgetting.ts'

/** Removes the personal data of a user and keeps their work. */
export const anonymiseUser = operation({
  permission: permission('user.anonymise', superAdmins),
  mode: 'write',
  summary: 'Anonymise a user',
  description:
    'Implements the right to be forgotten. Removes name, mail addresses, phone, initials, login, ids in other systems, picture, skills, absences, password, keys and identities of the user; also the addresses, and the names beside them, in tickets, mail, watches, contacts of customers, recipients and authors of documents, and in the event log; the name by itself as the author of a document or as a value in `Meta`, unless another user has the same one. The user is deactivated. Items, tickets, time and history stay. **This cannot be undone**, because no copy is kept. Free texts (descriptions, messages, documents) are not changed. A second call changes nothing.',
  reply: { status: 200, schema: users.schema, description: 'The anonymised user.' },
  refusals: [404, 422],
  unrepeatable: true,
  async run(ctx, { params }) {
    const user = await userToAnonymise(ctx, params.id ?? '')
    const person = await anonymise(ctx, user)
    if (person) {
      await renameAuthor(ctx, person.id, person.names, person.alias)
      await forgetInItems(ctx, person)
      await forgetNameInMeta(ctx, person)
      await forgetWords(ctx, person.names, ['item_search', 'annotation_search', 'document_search', 'file_search'])
    }
    const now = person ? await users.get(ctx, user.id, { deleted: true }) : user
    return { body: now, version: now.version }
  },
})

/** Replaces the name of the user where it is a value by itself in the metadata of items. */
async function forgetNameInMeta(
  ctx: Context,
  { id, names, alias }: Forgotten & { names: readonly string[] },
): Promise<void> {
  await ctx.sql`with names as materialized (select unshared_names(${id}::uuid, ${names}::text[]) as list)
    update item set meta = without_name(meta, names.list, ${alias}) from names
    where tenant_id = ${ctx.caller.tenantId} and meta <> '{}' and exists (select 1 from unnest(names.list) n where position(n in lower(meta::text)) > 0)`
}

/** Removes the user from the metadata of items and from the records of merges. Neither is validated. */
async function forgetInItems(ctx: Context, person: Forgotten): Promise<void> {
  const { tenantId } = ctx.caller
  const [meta, before, gained] = [raw('meta'), raw('before'), raw('gained')]
  const named = (value: Sql) =>
    sql`exists (select 1 from unnest(${[person.id, ...person.addresses]}::text[]) a where position(a in lower(${value}::text)) > 0)`
  await ctx.sql`update item set meta = ${withoutPerson(meta, person)} where tenant_id = ${tenantId} and meta <> '{}' and ${named(meta)}`
  await ctx.sql`update item_merge set before = ${withoutPerson(before, person)}, gained = ${withoutPerson(gained, person)}
    where tenant_id = ${tenantId} and (${named(before)} or ${named(gained)})`
  // Without user, group and address a watch has no recipient.
  await ctx.sql`update watch set deleted = true where tenant_id = ${tenantId} and not deleted
    and user_id is null and user_group_id is null and email = ''`
}
