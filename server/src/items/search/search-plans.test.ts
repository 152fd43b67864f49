import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { isLong } from '../../../test/support/form.ts'
import { startTestService } from '../../../test/support/people.ts'
import { containerKind } from '../../containers/container-kind.ts'
import { tenantCaller } from '../../identity/tenant-caller.ts'
import { userKind } from '../../identity/user-kind.ts'
import { roleCode } from '../../kernel/access.ts'
import { readListing } from '../../kernel/list/listing.ts'
import { operator } from '../../language/conditions/conditions.ts'
import { ownerKind } from '../../records/references/owner.ts'
import { items } from '../item/item.ts'

// Row level security can prevent the use of an index, which no functional test notices. So these tests capture the
// statements that must stay fast as the service sends them, and read their plans in the role of the service.

describe('the query plans of searches', async () => {
  const { ada, bob, database, databaseUrl, person } = await startTestService()
  const desk = await ada.post('/container', { name: 'Desk' })
  const shop = await ada.post('/container', { name: 'Shop' })
  const attic = await ada.post('/container', { name: 'Attic' })
  await ada.post('/container', { name: 'Vault', private: true })
  const field = await ada.post('/field/number', { name: 'Cost' })
  const vendor = await ada.post('/field/text', { name: 'Vendor' })
  const rita = await person({ name: 'Rita', role: roleCode.requester, kind: userKind.requester })
  const acme = await ada.post('/finance/crm', { name: 'Acme', code: 'ACME' })
  await ada.post('/item', {
    title: 'Printer',
    crmId: acme.id,
    requesterId: rita.id,
    containerId: desk.id,
    Field: [{ key: 'cost', value: 1 }],
    assignees: [bob.id],
  })

  const owner = new pg.Client({ connectionString: databaseUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica')
  const many = isLong ? 6000 : 4200
  const restricted = (number: string) => `case when (${number}) % 50 = 1 then 1 else 0 end`
  // Nearly all work is assigned, to many people, and has one of many labels.
  const some = (number: string) =>
    `case when (${number}) % 500 = 15 then '{}'::uuid[] else array[gen_random_uuid()] end`
  await owner.query(
    `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, description, due_date, status, status_category, rank, visibility, assignees, labels)
    select $1, ('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now() - n * interval '1 second', $2, case when n % 10 = 0 then $3::uuid else $4::uuid end, n + 10, 'X-' || n, 'Frequent number' || n, 'Usually described' || n, case when n % 3 = 0 then date '2026-01-01' + n % 365 end,
      case when n % 1000 = 7 then 'Waiting' when n % 100 < 20 then 'Open' else 'Done' end, case when n % 1000 = 7 then 2 when n % 100 < 20 then 1 else 4 end, 'x' || n, ${restricted('n + 10')}, ${some('n + 10')}, ${some('n + 10')} from generate_series(1, ${many}) n`,
    [ada.tenantId, ada.id, desk.id, shop.id],
  )
  // Most items are archived, and these are the oldest.
  await owner.query(
    `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, status, status_category, closed_at, archived, rank, visibility, assignees, labels)
    select $1, ('01900000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now() + n * interval '1 second', $2, $3, n, 'A-' || n, 'Old ' || n,
      'Done', 4, now(), n <= ${many / 2}, 'x' || n, ${restricted('n')}, ${some('n')}, ${some('n')} from generate_series(1, ${many / 2 + 100}) n`,
    [ada.tenantId, ada.id, attic.id],
  )
  await owner.query(
    `insert into item_search select tenant_id, id, search_vector(key || ' ' || title, description, '') from item on conflict do nothing`,
  )
  await owner.query(
    `insert into item_title select tenant_id, id, container_id, visibility, deleted, archived, fold(title) from item on conflict do nothing`,
  )
  await owner.query(
    `insert into item_value (tenant_id, item_id, field_id, number_value) select tenant_id, id, $1, number from item on conflict do nothing`,
    [field.id],
  )
  await owner.query(
    `insert into item_value (tenant_id, item_id, field_id, text_value) select tenant_id, id, $1, 'vendor' || number from item`,
    [vendor.id],
  )
  await owner.query(
    `insert into search_word select distinct tenant_id, unnest(tsvector_to_array(tsv)) from item_search on conflict do nothing`,
  )
  await owner.query(`insert into item_assignee select tenant_id, $1, id from item`, [ada.id])
  await owner.query(
    `insert into item_count select tenant_id, container_id, status_category, status, priority, visibility, archived, count(*)
    from item where tenant_id = $1 group by 1, 2, 3, 4, 5, 6, 7`,
    [ada.tenantId],
  )
  await owner.query(`insert into item_admitted select tenant_id, created_by, id from item where visibility <> 0`)
  for (const { kind, properties, values } of [
    { kind: 'user', properties: ['name', 'email'], values: `'Colleague ' || n, 'c' || n || '@example.com'` },
    { kind: 'crm', properties: ['name', 'code'], values: `'Customer ' || n, 'K' || n` },
  ]) {
    await owner.query(
      `insert into "${kind}" (tenant_id, id, created, created_by, updated, updated_by, ${properties.join()})
      select $1, ('01900000-0000-7000-a000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now(), $2, ${values} from generate_series(1, ${many}) n`,
      [ada.tenantId, ada.id],
    )
    // A trigger does this row by row, at three times the cost.
    for (const property of properties)
      await owner.query(
        `insert into name_part (tenant_id, property, id, text)
        select tenant_id, '${kind}.${property}', id, fold(${property}) from "${kind}" on conflict do nothing`,
      )
  }
  await owner.query('set session_replication_role = origin')
  // The items of these containers have keys that theirs do not begin with.
  await owner.query(
    `insert into container_key select distinct tenant_id, container_id, split_part(key, '-', 1) from item on conflict do nothing`,
  )
  // Of the whole database it would take as long as all of the inserts.
  await owner.query(
    `vacuum analyze item, item_search, item_title, item_value, item_assignee, item_count, item_admitted, search_word, name_part, "user", crm, container, container_key`,
  )

  /** The statements that the service sends for a request. */
  async function statementsOf(ask: () => Promise<unknown>): Promise<Statement[]> {
    const received: Statement[] = []
    const { query } = pg.Client.prototype
    pg.Client.prototype.query = function (this: pg.Client & { database?: string }, ...args: unknown[]) {
      const [sent] = args
      if (this.database === new URL(databaseUrl).pathname.slice(1) && isStatement(sent)) received.push(sent)
      return Reflect.apply(query, this, args)
    } as typeof query
    try {
      await ask()
    } finally {
      pg.Client.prototype.query = query
    }
    return received
  }

  /**
   * The indexes that the statements of a request use, the maximum number of rows that a filter discarded, and how often
   * each table was read, what a sort of rows carries, and the ways in which `item` is read.
   */
  async function planned(
    ask: () => Promise<unknown>,
    isAskedFor: (text: string) => boolean = () => true,
  ): Promise<{
    indexes: Set<string>
    wasted: number
    sequential: string[]
    reads: Map<string, number>
    sorted: string[]
    scans: string[]
  }> {
    const received = await statementsOf(ask)
    const found = {
      indexes: new Set<string>(),
      wasted: 0,
      sequential: [] as string[],
      reads: new Map<string, number>(),
      sorted: [] as string[],
      scans: [] as string[],
    }
    await owner.query(`set role gantry_app`)
    await owner.query(`set app.tenant = '${ada.tenantId}'`)
    for (const { name, text, values } of received.filter(
      each =>
        /\bitem|search_word|similar_words|words_like|words_with|name_part|"user"|"crm"/.test(each.text) &&
        /^\s*(select|with)/.test(each.text) &&
        isAskedFor(each.text),
    )) {
      await owner.query('select pg_stat_force_next_flush()') // so that only this statement is counted
      await owner.query('begin')
      // The servers of tests plan all statements once, and services plan those without a name each time.
      if (!name) await owner.query(`set local plan_cache_mode = 'force_custom_plan'`)
      const { rows } = await owner.query({ text: `explain (analyze, verbose, format json) ${text}`, values })
      // Plans inside functions are not part of the plan, but what they read is counted.
      const scanned = await owner.query<{ name: string; kind: string }>(
        `select relname as name, relkind as kind from pg_class
         where relkind in ('i', 'r') and relnamespace = 'public'::regnamespace and pg_stat_get_xact_numscans(oid) > 0`,
      )
      await owner.query('commit')
      for (const { name, kind } of scanned.rows)
        if (kind === 'i') found.indexes.add(name)
        else if (isWatched(name)) found.sequential.push(name)
      for (const node of nodesOf(rows[0]['QUERY PLAN'][0].Plan)) {
        if (node['Index Name']) found.indexes.add(node['Index Name'])
        const table = node['Relation Name'] ?? ''
        if (table === 'item') found.scans.push(node['Node Type'])
        if (node['Node Type'].endsWith('Sort')) found.sorted.push(`${node['Sort Key']}: ${node.Output}`)
        found.reads.set(table, (found.reads.get(table) ?? 0) + (node['Actual Loops'] ?? 1))
        found.wasted = Math.max(found.wasted, (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1))
      }
    }
    await owner.query('reset role')
    return found
  }

  const isWatched = (table: string) =>
    /^(item|item_title|item_search|item_value|search_word|name_part|user|crm|ticket)$/.test(table)
  const few = many / 4
  const condition = (leftSide: string, operator: number, rightSide: string) => [
    { condition: [{ leftSide, operator, rightSide }] },
  ]
  const cases: { what: string; ask: () => Promise<unknown>; index: string; without?: string }[] = [
    { what: 'a rare word', ask: () => bob.get('/search?q=number77%20&kind=item'), index: 'item_search_words' },
    { what: 'a frequent word', ask: () => bob.get('/search?q=frequent%20&kind=item'), index: 'item_search_pkey' },
    {
      what: 'a mistyped word',
      ask: () => bob.get('/search?q=frequnet%20number77%20&kind=item'),
      index: 'search_word_parts',
    },
    {
      what: 'a rare word for a requester',
      ask: () => rita.get('/search?q=number78%20&kind=item'),
      index: 'item_search_words',
    },
    {
      what: 'an item that resembles a text',
      ask: () => bob.post('/item/similar', { title: 'Frequent number81', description: 'Usually described82' }),
      index: 'item_search_words',
    },
    {
      what: 'an item that resembles a text, for a requester',
      ask: () => rita.post('/item/similar', { title: 'Frequent number81' }),
      index: 'item_search_words',
    },
    { what: 'a word in a list', ask: () => bob.get('/item?q=number79%20&limit=50'), index: 'item_search_words' },
    {
      what: 'a search condition',
      ask: () => bob.post('/item/search', { conditionGroup: condition('title', 31, 'number80 '), limit: 50 }),
      index: 'item_search_words',
    },
    {
      what: 'a part of a title',
      ask: () => bob.get('/item?title[contains]=umber811&limit=50&count=exact'),
      index: 'item_title_parts',
    },
    {
      what: 'a part of a title in a condition',
      ask: () =>
        bob.post('/item/search', { conditionGroup: condition('title', operator.contains, 'UMBER81'), limit: 50 }),
      index: 'item_title_parts',
    },
    {
      what: 'the beginning of a title',
      ask: () => bob.get('/item?title[startsWith]=frequent number82&limit=50'),
      index: 'item_title_parts',
    },
    {
      what: 'the end of a title',
      ask: () => bob.get('/item?title[endsWith]=ber3831&limit=50'),
      index: 'item_title_parts',
    },
    {
      what: 'a pattern of a title',
      ask: () => bob.get(`/item?title[matches]=${encodeURIComponent('^freq.*umber812.?$')}&limit=50`),
      index: 'item_title_parts',
    },
    {
      what: 'a part that no title has',
      ask: () => bob.get('/item?title[contains]=xyzzy&limit=50&count=exact'),
      index: 'item_title_parts',
    },
    ...['title', 'field.vendor'].flatMap(path =>
      ['q9', 'z'].map(part => ({
        what: `${part}, which no ${path} has,`,
        ask: () => bob.get(`/item?${path}[contains]=${part}&limit=50&count=exact`),
        index: path === 'title' ? 'item_title_parts' : 'item_value_text_parts',
      })),
    ),
    {
      what: 'two characters that no description has',
      ask: () => bob.get('/item?description[contains]=q9&limit=50&count=exact'),
      index: 'search_word_parts',
    },
    {
      what: 'two characters that few descriptions have',
      ask: () => bob.get('/item?description[contains]=9 z&limit=50'),
      index: 'item_search_words',
    },
    {
      what: 'a part of nearly all titles',
      ask: () => bob.get('/item?title[contains]=requent&limit=50'),
      index: 'item_pkey',
      without: 'item_title_parts',
    },
    {
      what: 'a part of a description',
      ask: () => bob.get('/item?description[contains]=cribed811&limit=50&count=exact'),
      index: 'item_search_words',
    },
    {
      what: 'a part that no description has',
      ask: () => bob.get('/item?description[contains]=xyzzy&limit=50&count=exact'),
      index: 'search_word_parts',
    },
    {
      what: 'the beginning of a description',
      ask: () => bob.get('/item?description[startsWith]=Usually described812&limit=50'),
      index: 'item_search_words',
    },
    {
      what: 'the end of a description in a condition',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: condition('description', operator.endsWith, 'scribed3813'),
          limit: 50,
        }),
      index: 'item_search_words',
    },
    {
      what: 'a part of nearly all descriptions',
      ask: () => bob.get('/item?description[contains]=scribed&limit=50'),
      index: 'item_pkey',
      without: 'item_search_words',
    },
    {
      what: 'a part of the name of a requester',
      ask: () => bob.get('/item?requester.name[contains]=ita&limit=50&count=exact'),
      index: 'item_of_requester',
    },
    {
      what: 'the beginning of the name of a customer',
      ask: () =>
        bob.post('/item/search', { conditionGroup: condition('crm.name', operator.startsWith, 'acm'), limit: 50 }),
      index: 'item_of_crm',
    },
    {
      what: 'a part of a key',
      ask: () => bob.get('/item?key[contains]=-811&limit=50&count=exact'),
      index: 'item_number_taken',
    },
    {
      what: 'the end of a key',
      ask: () => bob.get('/item?key[endsWith]=3831&limit=50'),
      index: 'item_number_taken',
    },
    {
      what: 'a part that no key has',
      ask: () => bob.get('/item?key[contains]=xyzzy&limit=50&count=exact'),
      index: 'item_number_taken',
    },
    {
      what: 'a part of nearly all keys',
      ask: () => bob.get('/item?key[startsWith]=x&limit=50'),
      index: 'item_pkey',
      without: 'item_number_taken',
    },
    {
      what: 'a part of the name of a user',
      ask: () => bob.get('/user?name[contains]=lleague 811&sort=name&limit=20&count=exact'),
      index: 'name_part_words',
    },
    {
      what: 'two characters that no name of a user has',
      ask: () => bob.get('/user?name[contains]=q9&sort=name&limit=20'),
      index: 'name_part_words',
    },
    {
      what: 'the address of a user by its beginning',
      ask: () => bob.get('/user?email[startsWith]=c811@&limit=20'),
      index: 'name_part_words',
    },
    {
      what: 'a part of nearly all names of users',
      ask: () => bob.get('/user?name[contains]=l&sort=name&limit=20'),
      index: 'user_by_name',
      without: 'name_part_words',
    },
    {
      what: 'a part of the name of a customer',
      ask: () => bob.get('/finance/crm?name[contains]=ustomer 812&sort=name&limit=20&count=exact'),
      index: 'name_part_words',
    },
    {
      what: 'a pattern of the name of a customer',
      ask: () => bob.get(`/finance/crm?name[matches]=${encodeURIComponent('^cus.*mer 3812$')}&limit=20`),
      index: 'name_part_words',
    },
    {
      what: 'a part of nearly all names of customers',
      ask: () => bob.get('/finance/crm?name[contains]=usto&sort=name&limit=20'),
      index: 'crm_by_name',
      without: 'name_part_words',
    },
    {
      what: 'a customer of items by a part of its name that no customer has',
      ask: () => bob.get('/item?crm.name[contains]=xyzzy&limit=20'),
      index: 'name_part_words',
    },
    {
      what: 'a part of a custom text',
      ask: () => bob.get('/item?field.vendor[contains]=ndor811&limit=50&count=exact'),
      index: 'item_value_text_parts',
    },
    {
      what: 'the beginning of a custom text',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: condition('field.vendor', operator.startsWith, 'Vendor3811'),
          limit: 50,
        }),
      index: 'item_value_text_parts',
    },
    {
      what: 'open work of a container',
      ask: () => bob.post('/item/search', { container: [desk.id], includeClosed: false, limit: 10 }),
      index: 'item_open_by_id',
    },
    {
      what: 'open work of a container by its due date',
      ask: () => bob.post('/item/search', { container: [desk.id], includeClosed: false, sort: 'dueDate', limit: 10 }),
      index: 'item_open_by_due',
    },
    ...[`containerId=${shop.id}&status=waiting&sort=-updated`, 'status=Waiting&sort=title', 'status=Nowhere'].map(
      query => ({
        what: `the few items of ${query.replace(shop.id, 'a container')}`,
        ask: () => bob.get(`/item?${query}&limit=50`),
        index: query.startsWith('status') ? 'item_by_status' : 'item_counted',
      }),
    ),
    {
      what: 'the few items of a category',
      ask: () => bob.get('/item?statusCategory=2&sort=-updated&limit=10'),
      index: 'item_counted',
    },
    {
      what: 'a resolution that few items have',
      ask: () => bob.get(`/item?containerId=${shop.id}&resolution=Fixed&limit=10`),
      index: 'item_by_resolution',
    },
    {
      what: 'open work that nobody is assigned to',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: condition('assignee', operator.isEmpty, ''),
          container: [shop.id],
          includeClosed: false,
          sort: '-updated',
          limit: 10,
        }),
      index: 'item_unassigned',
    },
    {
      what: 'work that nobody is assigned to, whether closed or not,',
      ask: () => bob.get('/item?assignees=&sort=-updated&limit=10'),
      index: 'item_unassigned',
    },
    {
      what: 'work without labels',
      ask: () => bob.get('/item?labels=&sort=title&limit=10'),
      index: 'item_unlabelled',
    },
    {
      what: 'what a person watches',
      ask: () => bob.get('/item?watchers=@me&sort=title&limit=10'),
      index: 'item_of_creator',
      without: 'item_by_title',
    },
    {
      what: 'a sum over the open work of a container',
      ask: () =>
        bob.post('/insight/query', {
          entity: 'Item',
          conditionGroup: [
            {
              condition: [
                { leftSide: 'containerId', operator: operator.equals, rightSide: shop.id },
                { leftSide: 'statusCategory', operator: operator.lessThan, rightSide: '4' },
              ],
            },
          ],
          groupBy: [{ field: 'status', as: 'value' }],
          measures: [{ op: 'count', as: 'count' }],
        }),
      index: 'item_open_by_id',
    },
    {
      what: 'what was deleted',
      ask: () => bob.get(`/item?deleted=only&sort=-updated&limit=10`),
      index: 'item_deleted',
    },
    {
      what: 'the few items of a category in a container',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: condition('statusCategory', operator.equals, '2'),
          container: [shop.id],
          sort: '-updated',
          limit: 10,
        }),
      index: 'item_counted',
    },
    {
      what: 'a condition that few items in a state meet',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: [
            {
              condition: [
                { leftSide: 'status', operator: operator.in, rightSide: '["waiting"]' },
                { leftSide: 'priority', operator: operator.lessThan, rightSide: '3' },
              ],
            },
          ],
          sort: '-updated',
          limit: 10,
        }),
      index: 'item_by_status',
    },
    {
      what: 'a state that most items have',
      ask: () => bob.get(`/item?status=open,done&sort=-updated&limit=10`),
      index: 'item_of_tenant_by_updated',
      without: 'item_counted',
    },
    {
      what: 'all work by its priority',
      ask: () => bob.get('/item?sort=priority&limit=10'),
      index: 'item_by_priority',
    },
    {
      what: 'all work by its title',
      ask: () => bob.get('/item?sort=title&limit=10'),
      index: 'item_by_title',
    },
    {
      what: 'all work by its status, the last one first',
      ask: () => bob.get('/item?sort=-status&limit=10'),
      index: 'item_by_status',
    },
    {
      what: 'the oldest work',
      ask: () => bob.get('/item?sort=created&limit=10'),
      index: 'item_by_created',
    },
    {
      what: 'all work by its due date',
      ask: () => bob.get('/item?sort=-dueDate&limit=10'),
      index: 'item_due',
    },
    {
      what: 'what changed last',
      ask: () => bob.get('/item?sort=-updated&limit=10'),
      index: 'item_of_tenant_by_updated',
    },
    {
      what: 'what changed last in a container',
      ask: () => bob.get(`/item?containerId=${desk.id}&sort=-updated&limit=10`),
      index: 'item_by_updated',
    },
    {
      what: 'a container by its titles, the last one first',
      ask: () => bob.get(`/item?containerId=${desk.id}&sort=-title&limit=10`),
      index: 'item_of_container_by_title',
      without: 'item_by_title',
    },
    {
      what: 'a container by its priorities, the last one first',
      ask: () => bob.get(`/item?containerId=${desk.id}&sort=-priority&limit=10`),
      index: 'item_of_container_by_priority',
      without: 'item_by_priority',
    },
    {
      what: 'a state of many open items of a container, by the last change,',
      ask: () =>
        bob.post('/item/search', {
          conditionGroup: [
            {
              condition: [
                { leftSide: 'containerId', operator: operator.equals, rightSide: shop.id },
                { leftSide: 'status', operator: operator.in, rightSide: '["Open"]' },
              ],
            },
          ],
          includeClosed: false,
          sort: '-updated',
          limit: 10,
        }),
      index: 'item_by_updated',
      without: 'item_open_by_id',
    },
    {
      what: 'open work of a container by its priority',
      ask: () => bob.post('/item/search', { container: [desk.id], includeClosed: false, sort: 'priority', limit: 10 }),
      index: 'item_open_by_priority',
    },
    {
      what: 'a container with a full archive',
      ask: () => bob.get(`/item?containerId=${attic.id}&limit=10`),
      index: 'item_of_container',
    },
    {
      what: 'what changed first in a container with a full archive',
      ask: () => bob.get(`/item?containerId=${attic.id}&sort=updated&limit=10`),
      index: 'item_by_updated',
    },
    {
      what: 'the archive of a container',
      ask: () => bob.get(`/item?containerId=${attic.id}&archived=only&limit=10`),
      index: 'item_archived',
    },
    {
      what: 'a container by rank',
      ask: () => bob.get(`/item?containerId=${shop.id}&sort=rank&limit=10`),
      index: 'item_by_rank',
    },
    { what: 'what is mine', ask: () => bob.get('/item?assignee=@me&limit=10'), index: 'item_assignee_pkey' },
    {
      what: 'the sub-items of a page',
      ask: () => bob.get(`/item?containerId=${desk.id}&include=subItems&limit=10`),
      index: 'item_of_parent',
    },
    { what: 'my open work', ask: () => bob.get('/user/me/work'), index: 'item_assignee_open' },
    {
      what: 'a custom value',
      ask: () => bob.post('/item/search', { conditionGroup: condition('field.cost', 0, '77'), limit: 10 }),
      index: 'item_value_number',
    },
  ]

  for (const { what, ask, index, without = '' } of cases)
    test(`${what} is found by ${index}`, async () => {
      const { indexes, wasted, sequential } = await planned(ask)
      assert.ok(indexes.has(index) && !indexes.has(without), `${[...indexes]}`)
      assert.deepEqual(sequential, [])
      assert.ok(wasted < few, `${wasted} rows were looked at in vain`)
    })

  test('a page reads the labels, custom values and minutes of all its items at once', async () => {
    for (const query of ['', '&fields=title,Tags,Field,spentMinutes']) {
      const { reads } = await planned(() => bob.get(`/item?containerId=${desk.id}&limit=50${query}`))
      const once = ['label', 'field', 'container', 'time'].map(table => reads.get(table) ?? 0)
      assert.ok(reads.get('time') === 1 && once.every(times => times <= 1), JSON.stringify([...reads]))
    }
  })

  test('an exact count is a sum, and of the items only those restricted ones are read that name the caller', async () => {
    const states = ['&statusCategory=1', '&status=Open', `&containerId=${shop.id}&status=Open`, '&priority=0']
    for (const query of ['', `&containerId=${shop.id}`, ...states])
      for (const who of [bob, ada]) {
        const { indexes, sequential, scans, reads } = await planned(
          () => who.get(`/item?limit=1&count=exact${query}`),
          text => text.includes('as count'),
        )
        assert.ok(!indexes.has('item_restricted') && !indexes.has('item_counted'), `${[...indexes]}`)
        for (const table of ['item_count', 'flow_step', 'item_admitted']) assert.ok(reads.has(table), `${[...reads]}`)
        assert.equal(scans.length, 1, `${query}: ${scans}`)
        assert.deepEqual(sequential, [])
      }
  })

  test('a page in the order of an index is planned once for all callers and containers, and sorts nothing', async () => {
    const all = ['', '-updated', 'title', '-priority', 'created', 'status', 'dueDate'].map(sort => ({ sort }))
    const ofContainer = ['id', '-updated', '-title', 'priority'].map(sort => ({ containerId: shop.id, sort }))
    const inStates = ['id', '-updated'].map(sort => ({ status: 'Open,Done', sort }))
    for (const query of [...all, ...ofContainer, ...inStates]) {
      const listing = await database.single(tenantCaller(ada.tenantId), ctx => readListing(ctx, items, query))
      assert.equal(listing.planned, 'once', JSON.stringify(query))
      // Without known values, as the service has PostgreSQL plan it.
      const { sorted, sequential } = await planned(() => bob.get(`/item?${new URLSearchParams(query)}&limit=50`))
      assert.deepEqual([sorted, sequential], [[], []], JSON.stringify(query))
    }
  })

  test('a list by a property that few items have reads the index of those, and then the others by their ids', async () => {
    await owner.query(
      `update item set severity = 1 + number % 3, estimate_minutes = number, progress = 5, points = number % 7 + 1, resolved_at = now() where tenant_id = $1 and number % 50 = 0`,
      [ada.tenantId],
    )
    await owner.query('analyze item')
    for (const [property, index] of [
      ['severity', 'item_by_severity'],
      ['estimateMinutes', 'item_by_estimate'],
      ['progress', 'item_by_progress'],
      ['points', 'item_by_points'],
      ['resolvedAt', 'item_by_resolved_at'],
    ]) {
      const { indexes, sequential } = await planned(() => bob.get(`/item?sort=-${property}&limit=10`))
      assert.ok(index && indexes.has(index), `${property}: ${[...indexes]}`)
      assert.deepEqual(sequential, [])
      const others = await planned(() => bob.get(`/item?sort=${property}&limit=10`))
      assert.deepEqual(others.sorted, [])
    }
  })

  test('a list that is sorted without an index makes text of its page only', async () => {
    const { sorted } = await planned(() => bob.get('/item?sort=version&limit=10'))
    const byVersion = sorted.filter(each => /^[^:]*version/.test(each))
    assert.ok(byVersion.length > 0, JSON.stringify(sorted))
    for (const each of byVersion) assert.doesNotMatch(each, /jsonb_build_array|concat/)
  })

  test('open work and time are found by indexes of their own, where most work is closed', async () => {
    const idOf = (n: number) => `01900000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
    const lane = await ada.post('/container', { name: 'Lane' })
    const board = await ada.post('/board', { name: 'Lane', owner: ownerKind.container, ownerId: lane.id })
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, status, status_category, closed_at, rank)
      select $1, ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now(), $2, $3, n, 'L-' || n, 'Card ' || n,
        case when n % 20 = 0 then 'Open' else 'Done' end, case when n % 20 = 0 then 1 else 4 end, case when n % 20 > 0 then now() - interval '1 year' end, 'x' || n
      from generate_series(1, ${many / 2}) n`,
      [ada.tenantId, ada.id, lane.id],
    )
    await owner.query(
      `insert into time (tenant_id, id, created, created_by, updated, updated_by, user_id, container_id, date, seconds)
      select $1, ('01900000-0000-7000-b000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now(), $2, case when n % 5 = 0 then $2::uuid else $3::uuid end,
        $4, date '2020-01-01' + n / 4, n % 20 * 900 from generate_series(1, ${many}) n`,
      [ada.tenantId, ada.id, bob.id, desk.id],
    )
    await owner.query('set session_replication_role = origin')
    await owner.query('vacuum analyze item, time')
    const asked: [ask: () => Promise<unknown>, index: string][] = [
      [() => bob.post(`/item/${idOf(90)}/rank`, { after: idOf(80) }), 'item_by_rank'],
      [() => bob.get(`/board/${board.id}/cards?limit=10`), 'item_open'],
      [
        () => bob.post('/item/search', { container: [lane.id], includeClosed: false, sort: 'dueDate', limit: 10 }),
        'item_open_by_id',
      ],
      [() => ada.get('/time/week/2022-03-07'), 'time_of_user'],
      [() => ada.get(`/time?userId=${ada.id}&sort=-date&limit=10`), 'time_of_user'],
    ]
    for (const [ask, index] of asked) {
      const { indexes, wasted, sequential } = await planned(ask)
      assert.ok(indexes.has(index), `${index}: ${[...indexes]}`)
      assert.deepEqual(sequential, [])
      assert.ok(wasted < few, `${index}: ${wasted} rows were looked at in vain`)
    }
  })

  test('tickets that changed last are found by the indexes of items and of facets', async () => {
    await owner.query('set session_replication_role = replica')
    await owner.query('update container set kind = $1 where id = $2', [containerKind.desk, shop.id])
    await owner.query(
      `insert into ticket (tenant_id, id, created, created_by, updated, updated_by)
      select tenant_id, id, created, created_by, updated + case when number % 9 = 0 then interval '1 day' else '-1 day' end, updated_by from item where container_id = $1`,
      [shop.id],
    )
    await owner.query('set session_replication_role = origin')
    await owner.query('vacuum analyze ticket')
    const { indexes, wasted, sequential } = await planned(() => bob.get('/ticket?sort=-updated&limit=50&count=exact'))
    for (const index of ['item_by_updated', 'ticket_by_updated', 'item_admitted_pkey'])
      assert.ok(indexes.has(index), `${index}: ${[...indexes]}`)
    assert.deepEqual(sequential, [])
    assert.ok(wasted < few, `${wasted} rows were looked at in vain`)
  })

  test('a list of a container by key passes no items of others', async () => {
    const quay = await ada.post('/container', { name: 'Quay', key: 'QUAY' })
    await owner.query('set session_replication_role = replica')
    await owner.query(
      `insert into item (tenant_id, id, created, created_by, updated, updated_by, container_id, number, key, title, status, status_category, rank)
      select $1, ('01900000-0000-7000-c000-' || lpad(to_hex(n), 12, '0'))::uuid, now(), $2, now(), $2, $3, n, 'QUAY-' || n, 'Berth ' || n, 'Open', 1, 'x' || n
      from generate_series(1, ${many / 3}) n`,
      [ada.tenantId, ada.id, quay.id],
    )
    await owner.query('set session_replication_role = origin')
    await owner.query('vacuum analyze item')
    for (const ask of [
      () => bob.get(`/item?containerId=${quay.id}&sort=-key&limit=10`),
      () => bob.get(`/item?containerId=${quay.id}&sort=key&limit=10&priority=0`),
    ]) {
      const { indexes, wasted, sequential } = await planned(ask)
      assert.ok(indexes.has('item_by_key'), `${ask}: ${[...indexes]}`)
      assert.ok(wasted < 20, `${ask}: ${wasted} rows were looked at in vain`) // some keys of containers are
      assert.deepEqual(sequential, [])
    }
  })

  after(() => owner.end())
})

interface Node {
  'Node Type': string
  'Index Name'?: string
  'Relation Name'?: string
  'Rows Removed by Filter'?: number
  'Actual Loops'?: number
  'Sort Key'?: string[]
  Output?: string[]
  Plans?: Node[]
}

function* nodesOf(node: Node): Generator<Node> {
  yield node
  for (const each of node.Plans ?? []) yield* nodesOf(each)
}

interface Statement {
  /** None if it is planned each time. */
  name?: string
  text: string
  values: unknown[]
}

function isStatement(sent: unknown): sent is Statement {
  return sent !== null && typeof sent === 'object' && 'text' in sent && 'values' in sent && Array.isArray(sent.values)
}
