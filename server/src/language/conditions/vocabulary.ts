import type { CodeTable } from '../../kernel/schema/shape.ts'
import type { Sql } from '../../kernel/sql.ts'

/** The paths that the left side of a condition may name on one kind of record, and their SQL. */
export interface Vocabulary {
  resolve(path: string): Path | undefined
  /** The names of paths, for the message about a misspelt one. */
  names?(): Iterable<string>
  /** Why a path that exists cannot be used here, if that is so. */
  unavailable?(path: string): Unavailable | undefined
  /** Tells whether this user belongs to one of these groups (`uuid[]`), directly or through nested groups. */
  memberOf(user: Sql, groupIds: Sql): Sql
  /** Tells whether this instant lies in the working time of this clock (`uuid`). */
  inWorkingTime(instant: Sql, clockId: Sql): Sql
  /** The change that an event made to a path. It is absent in a filter, which has no event. */
  change?(path: string): Change | undefined
}

/** The reason in a code and in words. */
interface Unavailable {
  code: string
  message: string
}

/** Whether an event changed a value, and the values before and after. */
interface Change {
  changed: Sql
  from: Path
  to: Path
}

/** The value, or the set of values, at a path. */
export type Path = (SingleValue | ValueSet) & PathShortcuts

/** One value, or null; `duration` is a number of minutes. */
export interface SingleValue {
  kind: ConditionValueKind
  value: Sql
  /** The value comes from a precomputed column: a text is already folded, and a number is a double. */
  precomputed?: true
  /** The number is a decimal, such as money, that answers contain as a text with four places. */
  decimal?: true
  /** The number is known to be an integer or a decimal, so that sums do not depend on the order. */
  exact?: true
  /** The number is a code, which the right side may name. */
  codes?: CodeTable
}

/** Any number of values, as a select of one column: ``sql`select unnest(i.assignees)` ``. */
export interface ValueSet {
  kind: 'set'
  of: 'text' | 'number' | 'id' | 'user'
  elements: Sql
}

/** `number` is numeric, `date` a date without a time zone, `instant` a timestamptz, `id` and `user` are uuids. */
export type ConditionValueKind = 'text' | 'number' | 'duration' | 'boolean' | 'date' | 'instant' | 'id' | 'user'

/** Faster ways to evaluate a path than to read its value; `under` and `search` add an operator. */
interface PathShortcuts {
  /**
   * The values are stored in an indexed table: tells whether one of them satisfies the predicate. Neither this nor
   * `anyOf` yields null then.
   */
  among?: (holds: (value: Sql) => Sql) => Sql
  /**
   * The value is one of these, or the set contains one of them. They are an array of the kind's type; texts are folded
   * and not longer than `longest`. It is not used for instants.
   */
  anyOf?: (values: Sql, longest: number) => Sql
  /** The set has no elements. */
  isEmpty?: Sql
  /**
   * A condition that an index answers and that every record fulfils whose text has one of these words at the place;
   * undefined if the index does not help.
   */
  candidates?: ((words: readonly string[], place: TextPlace) => Sql | undefined) | undefined
  /**
   * The value is the one that this word (in lower case) names, if the word is specific to this path: `@currentcycle`.
   */
  named?: ((word: string) => Sql | undefined) | undefined
  /** The value is one of these records (`uuid[]`) or lies below one of them in the tree. */
  under?: (ids: Sql) => Sql
  /** The record matches this search query, as typed into a search box; every text must be accepted. */
  search?: (question: string) => Sql
}

/** The part of a text where a word is looked for. */
export type TextPlace = 'anywhere' | 'start' | 'end'

/** The person and the time that `@me`, `@now` and the names of days refer to. */
export interface Viewer {
  userId: string
  /** The user who caused the event, if there is one; in a filter it is the viewer. */
  actorId?: string
  now: Date
  timezone: string
}
