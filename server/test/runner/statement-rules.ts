import { loadModule, parseSync } from 'libpg-query'

// Rules for statements about the records of one tenant, so that a PostgreSQL which distributes the tables by their tenant can
// send each statement to one node.

/** The tables that every node of a cluster has whole. */
const everywhere = new Set(['tenant', 'api_key', 'operator_setting'])

/** A node of the parser's tree. Its lists are nodes, too; its leaves are words and numbers. */
interface Tree {
  readonly [key: string]: Tree | undefined
}

const branches = (tree: Tree | undefined): Tree[] => Object.values(tree ?? {}).filter(each => each !== undefined)
const word = (tree: Tree | undefined): string => String(tree ?? '')

const queries = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt']

/** Returns the function that tells what is wrong with a statement; `tables` have a tenant. */
export async function openStatementRules(tables: ReadonlySet<string>): Promise<(text: string) => string[]> {
  await loadModule()
  const distributed = tables.difference(everywhere)
  return text => {
    const faults = new Set<string>()
    visit(parseSync(text) as unknown as Tree, { tables: distributed, faults })
    return [...faults]
  }
}

interface Scope {
  /** The tables that have a tenant, without those that a common table expression hides. */
  tables: ReadonlySet<string>
  faults: Set<string>
}

function visit(tree: Tree | undefined, scope: Scope): void {
  if (tree === null || typeof tree !== 'object') return
  for (const [key, child] of Object.entries(tree)) {
    if (child && queries.includes(key)) checkQuery(key, child, scope)
    else visit(child, scope)
  }
}

/** Checks one query; the ones inside of it are queries of their own. */
function checkQuery(kind: string, query: Tree, outer: Scope): void {
  const named = new Set(branches(query.withClause?.ctes).map(each => word(each.CommonTableExpr?.ctename)))
  const scope = named.size === 0 ? outer : { ...outer, tables: outer.tables.difference(named) }
  for (const side of [query.larg, query.rarg]) if (side) checkQuery('SelectStmt', side, scope)
  const { sources, conditions } = sourcesOf(query)
  if (query.relation && kind !== 'InsertStmt') sources.push(query.relation)
  const bound = new Set(conditions.flatMap(boundTenants))
  const own = sources.filter(({ relname }) => scope.tables.has(word(relname)))
  for (const { relname, alias } of own) {
    const name = word(alias?.aliasname ?? relname)
    if (!bound.has(name) && !(own.length === 1 && bound.has('')))
      scope.faults.add(`${relname} is not compared with a parameter: ${name}.tenant_id = $n`)
  }
  const rows = query.selectStmt?.SelectStmt
  if (kind === 'InsertStmt' && rows && !rows.valuesLists && !query.returningList && !query.returningClause)
    scope.faults.add(`insert into ${query.relation?.relname} … select does not end with returning`)
  for (const [key, child] of Object.entries(query)) if (key !== 'larg' && key !== 'rarg') visit(child, scope)
}

/** The tables that a query reads, and the conditions that all rows must meet. */
function sourcesOf(query: Tree): { sources: Tree[]; conditions: Tree[] } {
  const sources: Tree[] = []
  const conditions: Tree[] = query.whereClause ? [query.whereClause] : []
  const add = (source: Tree | undefined) => {
    if (source?.RangeVar) sources.push(source.RangeVar)
    const join = source?.JoinExpr
    if (join?.quals) conditions.push(join.quals)
    for (const side of [join?.larg, join?.rarg]) if (side) add(side)
  }
  for (const source of [...branches(query.fromClause), ...branches(query.usingClause)]) add(source)
  return { sources, conditions }
}

/** The names whose `tenant_id` is compared with a parameter; '' if the column has no prefix. */
function boundTenants(condition: Tree): string[] {
  if (word(condition.BoolExpr?.boolop) === 'AND_EXPR') return branches(condition.BoolExpr?.args).flatMap(boundTenants)
  const compared = condition.A_Expr
  if (word(compared?.kind) !== 'AEXPR_OP' || word(compared?.name?.[0]?.String?.sval) !== '=') return []
  return [
    [compared?.lexpr, compared?.rexpr],
    [compared?.rexpr, compared?.lexpr],
  ].flatMap(([column, value]) => {
    const [prefix, last] = branches(column?.ColumnRef?.fields).map(each => word(each.String?.sval))
    const isParameter = (value?.ParamRef ?? value?.TypeCast?.arg?.ParamRef) !== undefined
    if (!isParameter || (last ?? prefix) !== 'tenant_id') return []
    return [last === undefined || prefix === undefined ? '' : prefix]
  })
}
