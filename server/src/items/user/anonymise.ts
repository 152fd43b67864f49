import { users } from '../../admin/user/user.ts'
import { anonymise, userToAnonymise } from '../../admin/user-anonymise.ts'
import { renameAuthor } from '../../documents/rename-author.ts'
import { permission, superAdmins } from '../../kernel/access.ts'
import type { Context } from '../../kernel/context.ts'
import { operation } from '../../kernel/operation.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { forgetWords } from '../../language/search/search.ts'
import { type Forgotten, withoutPerson } from '../../records/forgetting.ts'

/** Forgets who somebody was, and nothing of what was done. */
export const anonymiseUser = operation({
  permission: permission('user.anonymise', superAdmins),
  mode: 'write',
  summary: 'Anonymise a user',
  description:
    'For whoever has the right to be forgotten. Name, mail addresses, phone, initials, login, ids elsewhere, picture, skills, absences, password, keys and identities go; so do the addresses, and the name beside them, in tickets, mail, watches, customers’ contacts, recipients and authors of documents, and in the log of events. The user is deactivated. Items, tickets, time and history stay. **It cannot be undone**, by nobody: nothing is left that it could be taken back from. What people wrote at length (descriptions, messages, documents) stays as it is. Once more changes nothing.',
  reply: { status: 200, schema: users.schema, description: 'The user who is nobody any more.' },
  refusals: [404, 422],
  unrepeatable: true,
  async run(ctx, { params }) {
    const user = await userToAnonymise(ctx, params.id ?? '')
    const person = await anonymise(ctx, user)
    if (person) {
      await renameAuthor(ctx, person.id, person.names, person.alias)
      await forgetInItems(ctx, person)
      await forgetWords(ctx, person.names, ['item_search', 'annotation_search', 'document_search'])
    }
    const now = person ? await users.get(ctx, user.id, { deleted: true }) : user
    return { body: now, version: now.version }
  },
})

/** What items brought along, and what they were before they were merged. No law watches over either. */
async function forgetInItems(ctx: Context, person: Forgotten): Promise<void> {
  const { tenantId } = ctx.caller
  const [meta, before, gained] = [raw('meta'), raw('before'), raw('gained')]
  const named = (value: Sql) =>
    sql`exists (select 1 from unnest(${[person.id, ...person.addresses]}::text[]) a where position(a in lower(${value}::text)) > 0)`
  await ctx.sql`update item set meta = ${withoutPerson(meta, person)} where tenant_id = ${tenantId} and meta <> '{}' and ${named(meta)}`
  await ctx.sql`update item_merge set before = ${withoutPerson(before, person)}, gained = ${withoutPerson(gained, person)}
    where tenant_id = ${tenantId} and (${named(before)} or ${named(gained)})`
  // A watch that is nobody's tells nobody.
  await ctx.sql`update watch set deleted = true where tenant_id = ${tenantId} and not deleted
    and user_id is null and user_group_id is null and email = ''`
}
