import type { Id } from '../../../kernel/id.ts'
import { own } from '../../../kernel/own.ts'
import { ownTenant, raw, type Sql, sql } from '../../../kernel/sql.ts'
import { bounded, compileNode, type FormulaTerm } from '../../../language/formula/compile.ts'
import { FormulaFault, type Node, parseFormula, pathsIn } from '../../../language/formula/parse.ts'
import type { Field } from '../field-record.ts'
import { isDerived } from '../value/value.ts'
import { core, customValue } from './operands.ts'

export { FormulaFault } from '../../../language/formula/parse.ts'
export type { FormulaTerm }

type Derived = Pick<Field, 'id' | 'key' | 'fieldType' | 'options' | 'multiple' | 'formula' | 'rollup'>

/** The scope in which formulas are compiled. */
export interface FormulaScope {
  /** All fields of the tenant. */
  fields: readonly Derived[]
  /** The condition on the children (`t`) of an item that a rollup includes. */
  children: Sql
}

/** The maximum size of a formula including all formulas that it uses, directly or indirectly. */
const maxParts = 1000
const deepest = 10

/** Compiles a derived field to SQL over the item `t`; throws a FormulaFault if it is invalid. */
export function termOf(field: Derived, scope: FormulaScope): FormulaTerm {
  let parts = 0

  function derived(wanted: Derived, above: readonly Derived[]): FormulaTerm {
    if (above.some(each => each.id === wanted.id)) {
      const circle = [...above, wanted].map(each => each.key).join(' → ')
      throw new FormulaFault(1, `refers to itself in a circle: ${circle}`)
    }
    if (above.length >= deepest) throw new FormulaFault(1, `depends on more than ${deepest} levels of other formulas`)
    const way = [...above, wanted]
    return bounded(wanted.fieldType === 'rollup' ? rollup(wanted, way) : formula(wanted, way))
  }

  function formula(wanted: Derived, way: readonly Derived[]): FormulaTerm {
    const tree = parseFormula(wanted.formula)
    parts += sizeOf(tree)
    if (parts > maxParts)
      throw new FormulaFault(1, `has more than ${maxParts} parts, including the formulas that it uses`)
    return compileNode(tree, path => operand(path, way))
  }

  function operand(path: string, way: readonly Derived[]): FormulaTerm | undefined {
    const lower = path.toLowerCase()
    if (!lower.startsWith('field.')) return core(lower)
    const found = fieldCalled(scope.fields, lower.slice('field.'.length))
    if (!found) return undefined
    return isDerived(found) ? derived(found, way) : customValue(found)
  }

  /** Each child is an item `t` in a subquery in which its parent is `p`. */
  function rollup(
    { rollup: { source, field: of = '', function: how = '' } }: Derived,
    way: readonly Derived[],
  ): FormulaTerm {
    if (source !== 'children') throw new FormulaFault(1, 'source must be children')
    const make = own(sums, how)
    if (!make) throw new FormulaFault(1, `function must be one of ${Object.keys(sums).join(', ')}`)
    const over = of === '' ? undefined : (operand(of, way) ?? operand(`field.${of}`, way))
    if (of !== '' && !over) throw new FormulaFault(1, `there is no field ${of}`)
    const { kind, sql: value } = make(over)
    return {
      kind,
      sql: sql`(select ${value} from (select t.tenant_id, t.id) p join item t on t.tenant_id = ${ownTenant} and t.parent_id = p.id where not t.deleted and ${scope.children})`,
    }
  }

  return derived(field, [])
}

/** The aggregate functions of rollups. */
const sums: Readonly<Record<string, (over: FormulaTerm | undefined) => FormulaTerm>> = {
  sum: over => ({ kind: 'number', sql: sql`sum(${numberOf(over)})` }),
  avg: over => ({ kind: 'number', sql: sql`avg(${numberOf(over)})` }),
  min: over => ({ kind: orderedOf(over).kind, sql: sql`min(${orderedOf(over).sql})` }),
  max: over => ({ kind: orderedOf(over).kind, sql: sql`max(${orderedOf(over).sql})` }),
  count: over => ({ kind: 'number', sql: sql`count(${over?.sql ?? raw('*')})::numeric` }),
}

function numberOf(term: FormulaTerm | undefined): Sql {
  if (term?.kind !== 'number') throw new FormulaFault(1, 'this function needs a number field')
  return term.sql
}

function orderedOf(term: FormulaTerm | undefined): FormulaTerm {
  if (term?.kind !== 'number' && term?.kind !== 'date')
    throw new FormulaFault(1, 'this function needs a number or date field')
  return term
}

function sizeOf(node: Node): number {
  if (node.kind === 'binary') return 1 + sizeOf(node.left) + sizeOf(node.right)
  if (node.kind === 'negative' || node.kind === 'not') return 1 + sizeOf(node.of)
  return node.kind === 'call' ? node.given.reduce((sum, each) => sum + sizeOf(each), 1) : 1
}

function fieldCalled<F extends { id: Id; key: string }>(fields: readonly F[], named: string): F | undefined {
  const lower = named.toLowerCase()
  return fields.find(each => each.id === lower || each.key.toLowerCase() === lower)
}

/** The ids of the fields that a derived field uses; unknown fields and unreadable formulas yield none. */
export function fieldsNamedBy(field: Derived, fields: readonly Derived[]): Id[] {
  return namesIn(field).flatMap(name => fieldCalled(fields, name)?.id ?? [])
}

function namesIn({ fieldType, formula, rollup }: Derived): string[] {
  if (fieldType === 'rollup') return rollup.field ? [rollup.field.replace(/^field\./i, '')] : []
  try {
    const paths = pathsIn(parseFormula(formula)).map(path => path.toLowerCase())
    return paths.filter(path => path.startsWith('field.')).map(path => path.slice('field.'.length))
  } catch (error) {
    if (error instanceof FormulaFault) return []
    throw error
  }
}
