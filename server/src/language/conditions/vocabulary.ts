import type { Sql } from '../../kernel/sql.ts'

/** What the left side of a condition may say on some kind of record, and what it is in SQL. */
export interface Vocabulary {
  resolve(path: string): Path | undefined
  /** Whether this user belongs to one of these groups (`uuid[]`), directly or through groups of groups. */
  memberOf(user: Sql, groupIds: Sql): Sql
  /** Whether this instant lies in the working time of this clock (`uuid`). */
  inWorkingTime(instant: Sql, clockId: Sql): Sql
  /** What an event changed about a path. Only where there is an event: a filter knows of none. */
  change?(path: string): Change | undefined
}

/** Whether an event changed something, what it was, and what it has become. */
export interface Change {
  changed: Sql
  from: Path
  to: Path
}

/** The value, or the set of values, that a path leads to. */
export type Path = (SingleValue | ValueSet) & PathShortcuts

/** One value, or null; `duration` is a number of minutes. */
export interface SingleValue {
  kind: ConditionValueKind
  value: Sql
  /** The value is one that is kept aside: a text is folded already, and a number is a double. */
  precomputed?: true
}

/** Any number of values, as a select of one column: ``sql`select unnest(i.assignees)` ``. */
export interface ValueSet {
  kind: 'set'
  of: 'text' | 'number' | 'id' | 'user'
  elements: Sql
}

/** `number` is numeric, `date` a date in nobody's zone, `instant` a timestamptz, `id` and `user` are uuids. */
export type ConditionValueKind = 'text' | 'number' | 'duration' | 'boolean' | 'date' | 'instant' | 'id' | 'user'

/** What a path can answer by a better way than looking at its value; `under` and `search` add an operator. */
export interface PathShortcuts {
  /**
   * Its values are kept aside, where an index finds them: whether there is one for which this holds. Neither this nor
   * `anyOf` is null then.
   */
  among?: (holds: (value: Sql) => Sql) => Sql
  /**
   * It is, or a set has, one of these values: an array of its kind's type, texts folded and at most so long. Not asked
   * of instants.
   */
  anyOf?: (values: Sql, longest: number) => Sql
  /** Its folded text contains one of these folded words (`text[]`). */
  containing?: (words: Sql) => Sql
  /** It is what this word (in lower case) stands for, if the word means something to this path alone: `@currentcycle`. */
  named?: ((word: string) => Sql | undefined) | undefined
  /** It is one of these records (`uuid[]`) or lies below one of them in the tree. */
  under?: (ids: Sql) => Sql
  /** It is found by this question, as people type it into a search box; must take any text at all. */
  search?: (question: string) => Sql
}

/** For whom and when the conditions are asked: gives `@me`, `@now` and the days their meaning. */
export interface Viewer {
  userId: string
  /** Who caused the event, where there is one; in a filter that is the viewer. */
  actorId?: string
  now: Date
  timezone: string
}
