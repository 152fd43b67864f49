import { own } from '../../kernel/own.ts'
import { isDate } from '../../kernel/schema/formats.ts'
import { join, raw, type Sql, sql } from '../../kernel/sql.ts'
import { FormulaFault, type FormulaOperator, type Node } from './parse.ts'

/** The kinds of values that a formula can produce. */
type FormulaKind = 'number' | 'text' | 'date' | 'truth'

/** A part of a formula: its kind and its SQL. The SQL cannot fail, whatever the values are. */
export interface FormulaTerm {
  kind: FormulaKind
  sql: Sql
}

/** Resolves a path; undefined if it does not exist here. */
type PathLookup = (path: string, at: number) => FormulaTerm | undefined

/** Compiles a formula to SQL and checks all kinds. An empty operand makes the result empty. */
export function compileNode(node: Node, lookup: PathLookup): FormulaTerm {
  const of = (part: Node) => compileNode(part, lookup)
  switch (node.kind) {
    case 'number':
      return { kind: 'number', sql: sql`${node.text}::numeric` }
    case 'text':
      return { kind: 'text', sql: sql`${node.text}::text` }
    case 'truth':
      return { kind: 'truth', sql: raw(String(node.truth)) }
    case 'negative':
      return { kind: 'number', sql: sql`(- ${need(of(node.of), 'number', node.of)})` }
    case 'not':
      return { kind: 'truth', sql: sql`(not ${need(of(node.of), 'truth', node.of)})` }
    case 'path': {
      const found = lookup(node.path, node.at)
      if (!found) throw new FormulaFault(node.at, `there is no ${node.path} that a formula can use`)
      return found
    }
    case 'binary':
      return binary(node.operator, of(node.left), of(node.right), node)
    case 'call':
      return call(node.name, node.given.map(of), node)
  }
}

function need(term: FormulaTerm, kind: FormulaKind, { at }: { at: number }): Sql {
  if (term.kind !== kind) throw new FormulaFault(at, `must be a ${kind} but is a ${term.kind}`)
  return term.sql
}

type Binary = Extract<Node, { kind: 'binary' }>

function binary(operator: FormulaOperator, left: FormulaTerm, right: FormulaTerm, node: Binary): FormulaTerm {
  if (operator === 'and' || operator === 'or') {
    const [a, b] = [need(left, 'truth', node.left), need(right, 'truth', node.right)]
    return { kind: 'truth', sql: sql`(${a} ${raw(operator)} ${b})` }
  }
  if (isComparison(operator)) {
    if (left.kind !== right.kind)
      throw new FormulaFault(node.at, `a ${left.kind} and a ${right.kind} cannot be compared`)
    return {
      kind: 'truth',
      sql: sql`(${compared(left)} ${raw(operator === '!=' ? '<>' : operator)} ${compared(right)})`,
    }
  }
  if (left.kind === 'date' && operator === '-' && right.kind === 'date') return days(right.sql, left.sql)
  if (left.kind === 'date' && (operator === '+' || operator === '-'))
    return shifted(left.sql, need(right, 'number', node.right), operator)
  const [a, b] = [need(left, 'number', node.left), need(right, 'number', node.right)]
  // Division by zero yields an empty value instead of an error.
  if (operator === '%') return { kind: 'number', sql: sql`mod(${a}, nullif(${b}, 0))` }
  return { kind: 'number', sql: operator === '/' ? sql`(${a} / nullif(${b}, 0))` : sql`(${a} ${raw(operator)} ${b})` }
}

function isComparison(operator: FormulaOperator): boolean {
  return ['=', '!=', '<', '<=', '>', '>='].includes(operator)
}

/** Texts are compared without case and accents, as in conditions. */
function compared({ kind, sql: value }: FormulaTerm): Sql {
  return kind === 'text' ? sql`fold(${value})` : value
}

function days(from: Sql, to: Sql): FormulaTerm {
  return { kind: 'number', sql: sql`(${to} - ${from})::numeric` }
}

/** Adds days to a date or subtracts them; a result outside of the calendar is empty. */
function shifted(date: Sql, count: Sql, operator: '+' | '-'): FormulaTerm {
  return {
    kind: 'date',
    sql: sql`(select case when s.days between 0 and 3652058 then date '0001-01-01' + s.days::int end
      from (select (${date} - date '0001-01-01') ${raw(operator)} trunc(${count}) as days offset 0) s)`,
  }
}

interface Call {
  at: number
  given: Node[]
}

/** The functions of formulas: the number of arguments of each, and its SQL. */
const functions: Readonly<
  Record<string, { least: number; most: number; make: (given: FormulaTerm[], node: Call) => FormulaTerm }>
> = {
  if: {
    least: 3,
    most: 3,
    make([when, yes, no], node) {
      if (!when || !yes || !no) throw new FormulaFault(node.at, 'if takes a condition and two values')
      const condition = need(when, 'truth', node.given[0] ?? node)
      sameKind([yes, no], { at: node.at, given: node.given.slice(1) })
      return { kind: yes.kind, sql: sql`(case when ${condition} then ${yes.sql} else ${no.sql} end)` }
    },
  },
  min: { least: 1, most: 20, make: (given, node) => extreme(raw('least'), given, node) },
  max: { least: 1, most: 20, make: (given, node) => extreme(raw('greatest'), given, node) },
  coalesce: {
    least: 1,
    most: 20,
    make: (given, node) => ({
      kind: sameKind(given, node),
      sql: sql`coalesce(${join(given.map(each => each.sql))})`,
    }),
  },
  round: {
    least: 1,
    most: 2,
    make([value], node) {
      const digits = node.given[1]
      if (digits && !(digits.kind === 'number' && /^\d$/.test(digits.text)))
        throw new FormulaFault(digits.at, 'must be a digit from 0 to 9')
      const places = digits?.kind === 'number' ? Number(digits.text) : 0
      return { kind: 'number', sql: sql`round(${first(value, 'number', node)}, ${places}::int)` }
    },
  },
  abs: {
    least: 1,
    most: 1,
    make: ([value], node) => ({ kind: 'number', sql: sql`abs(${first(value, 'number', node)})` }),
  },
  length: {
    least: 1,
    most: 1,
    make: ([value], node) => ({ kind: 'number', sql: sql`length(${first(value, 'text', node)})::numeric` }),
  },
  empty: {
    least: 1,
    most: 1,
    make: ([value]) => ({ kind: 'truth', sql: sql`(coalesce((${value?.sql ?? raw('null')})::text, '') = '')` }),
  },
  concat: {
    least: 1,
    most: 20,
    make: given => ({ kind: 'text', sql: sql`concat(${join(given.map(asText))})` }),
  },
  days: {
    least: 2,
    most: 2,
    make([from, to], node) {
      if (!from || !to) throw new FormulaFault(node.at, 'days takes two dates')
      return days(need(from, 'date', node.given[0] ?? node), need(to, 'date', node.given[1] ?? node))
    },
  },
  date: {
    least: 1,
    most: 1,
    make(_given, node) {
      const [written] = node.given
      if (written?.kind !== 'text' || !isDate(written.text))
        throw new FormulaFault(written?.at ?? node.at, 'must be a date in quotes, such as "2026-03-31"')
      return { kind: 'date', sql: sql`${written.text}::date` }
    },
  },
}

function call(name: string, given: FormulaTerm[], node: Call): FormulaTerm {
  const known = own(functions, name)
  if (!known) throw new FormulaFault(node.at, `there is no ${name}; there are ${Object.keys(functions).join(', ')}`)
  const { least, most, make } = known
  if (given.length < least || given.length > most)
    throw new FormulaFault(node.at, `${name} takes ${least === most ? least : `${least} to ${most}`} values`)
  return make(given, node)
}

function first(term: FormulaTerm | undefined, kind: FormulaKind, node: Call): Sql {
  if (!term) throw new FormulaFault(node.at, 'a value is missing')
  return need(term, kind, node.given[0] ?? node)
}

function extreme(pick: Sql, given: FormulaTerm[], node: Call): FormulaTerm {
  const kind = sameKind(given, node)
  if (kind === 'truth') throw new FormulaFault(node.at, 'a truth value has no order')
  return { kind, sql: sql`${pick}(${join(given.map(each => each.sql))})` }
}

function sameKind(given: FormulaTerm[], { at, given: nodes }: Call): FormulaKind {
  const kind = given[0]?.kind ?? 'number'
  const other = given.findIndex(each => each.kind !== kind)
  if (other >= 0)
    throw new FormulaFault(
      nodes[other]?.at ?? at,
      `is a ${given[other]?.kind}, but the values before it are of the kind ${kind}`,
    )
  return kind
}

function asText({ kind, sql: value }: FormulaTerm): Sql {
  if (kind === 'number') return sql`trim_scale(${value})::text`
  if (kind === 'date') return sql`to_char(${value}, 'YYYY-MM-DD')`
  return kind === 'truth' ? sql`(${value})::text` : value
}

/**
 * Limits the result of a formula to the range of a value, so that formulas on formulas never overflow: numbers to
 * fifteen digits, texts to the maximum length. The result is computed once, however often it is referenced.
 */
export function bounded({ kind, sql: value }: FormulaTerm): FormulaTerm {
  const kept = {
    number: sql`case when abs(r.v) <= 1e15 then round(r.v, 10)::float8::numeric end`,
    text: sql`nullif(left(r.v, 4000), '')`,
    date: sql`r.v`,
    truth: sql`r.v`,
  }[kind]
  return { kind, sql: sql`(select ${kept} from (select ${value} as v offset 0) r)` }
}
