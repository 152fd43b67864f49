import type { Context } from '../../kernel/context.ts'
import type { ListingOptions } from '../../kernel/list/listing.ts'
import { own } from '../../kernel/own.ts'
import { fault } from '../../kernel/refusal.ts'
import { join, name, raw, type Sql, sql } from '../../kernel/sql.ts'
import { InertCondition } from '../conditions/condition-fault.ts'
import { type Path, type TextPlace, textPlaces } from '../conditions/conditions.ts'
import { hasAny, hasPattern } from '../conditions/operators/text-match.ts'
import { literalIn } from '../conditions/pattern/pattern-literal.ts'
import { type RareParts, rareParts } from './part-frequency.ts'

// Lists of other records than items are filtered by parts of their names: `name[contains]=ann,bob`, `[startsWith]`, `[endsWith]`,
// `[matches]`. The table `name_part` has these texts with an index of their parts.

/** The texts whose parts `name_part` has, by their tables; the triggers of the tables fill it. */
const namedTexts = {
  user: ['name', 'email'],
  crm: ['name', 'code'],
  container: ['name', 'key'],
  area: ['name'],
  label: ['name'],
  document: ['name'],
} as const

type NamedTable = keyof typeof namedTexts

const maxWords = 20

/** The option of a list that filters the records of a table by parts of their names. */
export function byParts(table: NamedTable) {
  const columns: readonly string[] = namedTexts[table]
  return {
    async filter(ctx: Context, query: Record<string, unknown>): Promise<ListingOptions['filter']> {
      const asked = Object.entries(query).flatMap(([key, text]) => {
        const { column, operator } = parameterOf(key)
        return columns.includes(column) && isTextOperator(operator) ? [{ column, words: wordsOf(operator, text) }] : []
      })
      if (asked.length === 0) return undefined
      const rare = new Map<string, RareParts>()
      for (const [column, same] of Map.groupBy(asked, each => each.column)) {
        const words = new Set(same.flatMap(each => each.words))
        const counted = query.count !== undefined
        rare.set(column, await rareNames(ctx, table, column, [...words].slice(0, maxWords), counted))
      }
      return (property, operator, text, faults, column) => {
        const found = column && rare.get(column.column)
        if (!found || !isTextOperator(operator)) return undefined
        try {
          return compared(pathOf(table, column.column, found), operator, text)
        } catch (error) {
          if (!(error instanceof InertCondition)) throw error
          faults.push(fault([`${property}[${operator}]`], error.fault.code, error.fault.message, text))
          return raw('false')
        }
      }
    },
  }
}

/** Those of the words that few names have, so that the index should look for them. */
export function rareNames(
  ctx: Context,
  table: NamedTable,
  column: string,
  words: readonly string[],
  counted = false,
): Promise<RareParts> {
  const text = sql`s.${name(column)}`
  return rareParts(ctx, { table, text, index: 'triples', elsewhere: true, counted }, words)
}

/** The ids of the records with one of the parts at a place of a text, at most this number. */
export function namedIds(property: string, rare: RareParts, place: TextPlace, most: number | null): Sql {
  return sql`select name_part_ids(${property}, ${partArguments(place)}, ${most}::int) as id from ${partRows(rare)}`
}

/** The arguments of a function that finds records by a row of `partRows`. */
export function partArguments(place: TextPlace): Sql {
  return sql`w.part, ${place === 'start'}, ${place === 'end'}, w.rarest, w.rare`
}

/** The parts, each with its rarest triples. They are values instead of an array, of which PostgreSQL would not know the length before it has planned. */
export function partRows(rare: RareParts): Sql {
  const rows = [...rare].map(([part, { triples }]) => {
    const [rarest = null, next = null] = triples
    return sql`(${part}::text, ${rarest}::text, ${next}::text)`
  })
  return sql`(values ${join(rows)}) w(part, rarest, rare)`
}

/** These words, if all of them are rare. */
export function rareOf(rare: RareParts, words: readonly string[]): RareParts | undefined {
  const found = new Map([...rare].filter(([word]) => words.includes(word)))
  return words.length > 0 && words.every(word => found.has(word)) ? found : undefined
}

function parameterOf(key: string): { column: string; operator: string } {
  const [, column = '', operator = ''] = /^([^[\]]+)\[(\w+)\]$/.exec(key) ?? []
  return { column: column.toLowerCase(), operator }
}

const isTextOperator = (operator: string) => operator === 'matches' || own(textPlaces, operator) !== undefined

function wordsOf(operator: string, text: unknown): string[] {
  if (operator !== 'matches') return listed(String(text))
  return [literalIn(String(text))].filter(each => each !== undefined)
}

const listed = (text: string) => text.split(',').map(each => each.trim())

function compared(path: Path & { kind: 'text' }, operator: string, text: string): Sql {
  const place = own(textPlaces, operator)
  return place ? hasAny(path, listed(text), place) : hasPattern(path, text.trim())
}

function pathOf(table: NamedTable, column: string, rare: RareParts) {
  return {
    kind: 'text' as const,
    value: sql`t.${name(column)}`,
    candidates: (words: readonly string[], place: TextPlace) => {
      const found = rareOf(rare, words)
      // An array instead of a join: for a join the planner estimates the number of records, and may read all of them.
      return found && sql`t.id = any(array(${namedIds(`${table}.${column}`, found, place, null)}))`
    },
  }
}
