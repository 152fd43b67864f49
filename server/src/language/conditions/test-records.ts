import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { raw, render, type Sql, sql } from '../../kernel/sql.ts'
import { startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts'
import type { Path, Viewer, Vocabulary } from './conditions.ts'

/** A table of records with a column of every kind, and its vocabulary. */
export interface Records {
  run(statement: Sql): Promise<Record<string, unknown>[]>
  insert(records: Partial<Thing>[]): Promise<void>
  stop(): Promise<void>
}

export interface Thing {
  name: string
  title: string | null
  points: string | null
  rate: number | null
  spent: number | null
  open: boolean | null
  due: string | null
  opened: string | null
  area: string | null
  owner: string | null
  tags: string[] | null
  scores: string[] | null
  watchers: string[] | null
}

export const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
export const ada = id(1)
export const bob = id(2)
export const root = id(10)
export const branch = id(11)
export const leaf = id(12)
export const staff = id(20)
export const board = id(21)
export const clock = id(30)

/** In Auckland it is already Thursday, 2 July 2026, shortly after noon. */
export const viewer: Viewer = { userId: ada, now: new Date('2026-07-02T00:30:00.000Z'), timezone: 'Pacific/Auckland' }

const paths = new Map<string, Path>([
  ['title', { kind: 'text', value: sql`r.title`, search: found }],
  ['points', { kind: 'number', value: sql`r.points` }],
  ['rate', { kind: 'number', value: sql`r.rate` }],
  ['spent', { kind: 'duration', value: sql`r.spent` }],
  ['open', { kind: 'boolean', value: sql`r.open` }],
  ['due', { kind: 'date', value: sql`r.due` }],
  ['opened', { kind: 'instant', value: sql`r.opened` }],
  [
    'area',
    { kind: 'id', value: sql`r.area`, under: ids => sql`r.area in (select id from tree where above && ${ids})` },
  ],
  ['owner', { kind: 'user', value: sql`r.owner` }],
  ['tags', { kind: 'set', of: 'text', elements: sql`select unnest(r.tags)` }],
  ['scores', { kind: 'set', of: 'number', elements: sql`select unnest(r.scores)` }],
  ['watchers', { kind: 'set', of: 'user', elements: sql`select unnest(r.watchers)` }],
  // The same paths with the shortcuts of a vocabulary.
  ['quickTitle', { kind: 'text', value: sql`r.title`, anyOf: isOneOf, candidates: holdsOneOf }],
  ['quickTags', { kind: 'set', of: 'text', elements: sql`select unnest(r.tags)`, anyOf: hasOneOf }],
  // The same paths with precomputed values.
  ['asideTitle', { kind: 'text', value: sql`r.title`, ...aside('title', 'folded'), anyOf: isAside }],
  ['asidePoints', { kind: 'number', value: sql`r.points`, ...aside('points', 'number') }],
  ['asideOpen', { kind: 'boolean', value: sql`r.open`, ...aside('open', 'truth') }],
  ['asideDue', { kind: 'date', value: sql`r.due`, ...aside('due', 'day') }],
  ['asideOpened', { kind: 'instant', value: sql`r.opened`, ...aside('opened', 'instant') }],
  ['asideOwner', { kind: 'user', value: sql`r.owner`, ...aside('owner', 'person') }],
  ['asideScores', { kind: 'set', of: 'number', elements: sql`select unnest(r.scores)`, ...aside('scores', 'number') }],
])

export const pathNames = [...paths.keys()]

function aside(path: string, column: string): { among: NonNullable<Path['among']> } {
  return {
    among: holds =>
      sql`exists (select 1 from aside a where a.name = r.name and a.path = ${path} and ${holds(raw(`a.${column}`))})`,
  }
}

function isAside(values: Sql): Sql {
  return sql`exists (select 1 from aside a where a.name = r.name and a.path = 'title' and a.folded = any(${values}))`
}

function found(question: string): Sql {
  return sql`to_tsvector('simple', r.title) @@ websearch_to_tsquery('simple', ${question})`
}

function isOneOf(values: Sql): Sql {
  return sql`r.name in (select name from thing where fold(title) = any(${values}))`
}

function holdsOneOf(words: readonly string[]): Sql {
  return sql`exists (select from unnest(${words}::text[]) as w where strpos(fold(r.title), fold(w)) > 0)`
}

function hasOneOf(values: Sql): Sql {
  return sql`r.tags && ${values}`
}

export const vocabulary: Vocabulary = {
  resolve: path => paths.get(path),
  memberOf: (user, groups) => sql`${user} in (select user_id from membership where group_id = any(${groups}))`,
  inWorkingTime: (instant, clockId) =>
    sql`extract(hour from ${instant}) between 8 and 16 and ${clockId} = ${clock}::uuid`,
}

const schema = `
  create function fold(value text) returns text language sql immutable strict parallel safe as
  $$ select regexp_replace(normalize(lower(value), NFKD), '[\\u0300-\\u036f]', '', 'g') $$;
  create table thing (name text, title text, points numeric, rate float8, spent integer, open boolean, due date,
    opened timestamptz, area uuid, owner uuid, tags text[], scores numeric[], watchers uuid[]);
  create table aside (name text, path text, folded text, number float8, truth boolean, day date, instant timestamptz, person uuid);
  create table tree (id uuid, above uuid[]);
  insert into tree values ('${root}', '{${root}}'), ('${branch}', '{${root},${branch}}'), ('${leaf}', '{${root},${branch},${leaf}}');
  create table membership (user_id uuid, group_id uuid);
  insert into membership values ('${ada}', '${staff}'), ('${bob}', '${board}');`

const fillAside = `truncate aside;
  insert into aside (name, path, folded) select name, 'title', fold(title) from thing where title <> '';
  insert into aside (name, path, number) select name, 'points', points from thing where points is not null;
  insert into aside (name, path, number) select name, 'scores', unnest(scores) from thing;
  insert into aside (name, path, truth) select name, 'open', open from thing where open is not null;
  insert into aside (name, path, day) select name, 'due', due from thing where due is not null;
  insert into aside (name, path, instant) select name, 'opened', opened from thing where opened is not null;
  insert into aside (name, path, person) select name, 'owner', owner from thing where owner is not null;`

export async function startRecords(): Promise<Records> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gantry-conditions-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    programs: process.env.TEST_POSTGRES,
    settings: { fsync: 'off' },
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(schema)
  return {
    async run(statement) {
      const { rows } = await client.query<Record<string, unknown>>(render(statement))
      return rows
    },
    async insert(records) {
      const rows = JSON.stringify(records)
      await client.query('truncate thing')
      await client.query('insert into thing select * from json_populate_recordset(null::thing, $1::json)', [rows])
      await client.query(fillAside)
    },
    async stop() {
      await client.end()
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
