import { otherNames } from '../../containers/item-property/item-property.ts'
import { knownStates } from '../../containers/known-states.ts'
import type { Context } from '../../kernel/context.ts'
import { type Id, isId } from '../../kernel/id.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { findUnknown, type Reference } from '../../kernel/record/references.ts'
import { operator, readList } from '../../language/conditions/conditions.ts'
import { items } from '../item/item.ts'

/** A condition that can be read, and the path of its right side in the record. */
export interface PlacedCondition {
  leftSide: string
  operator: number
  rightSide: string
  path: string
}

/** Findings for right sides that no item can have: states of no workflow, and ids of records that do not exist. */
export async function valueFindings(
  ctx: Context,
  conditions: readonly PlacedCondition[],
  containerIds: readonly Id[],
): Promise<Finding[]> {
  const unknown = await findUnknown(ctx, conditions.flatMap(referencesIn))
  return [
    ...unknown.map(({ entity, id, place }) => ({
      path: place,
      code: 'unknown-reference',
      message: `there is no ${entity} ${id} that you can see`,
    })),
    ...(await stateFindings(ctx, conditions, containerIds)),
  ]
}

const properties = new Map(items.columns.map(({ property }) => [property.toLowerCase(), property]))

function propertyOf(leftSide: string): string {
  const lower = leftSide.trim().toLowerCase()
  return otherNames.get(lower) ?? properties.get(lower) ?? ''
}

const groupOperators: readonly number[] = [operator.memberOf, operator.notMemberOf]

function referencesIn({ leftSide, operator, rightSide, path }: PlacedCondition): (Reference & { place: string })[] {
  const schema = items.byProperty.get(propertyOf(leftSide))?.schema
  const entity = groupOperators.includes(operator) ? 'UserGroup' : (schema?.['x-ref'] ?? schema?.items?.['x-ref'])
  if (typeof entity !== 'string') return []
  return readList(rightSide)
    .filter(isId)
    .map(id => ({ entity, id: id.toLowerCase(), path: [], place: path }))
}

const wholeValueOperators: readonly number[] = [
  operator.equals,
  operator.notEquals,
  operator.in,
  operator.notIn,
  operator.changedTo,
  operator.changedFrom,
]

async function stateFindings(
  ctx: Context,
  conditions: readonly PlacedCondition[],
  containerIds: readonly Id[],
): Promise<Finding[]> {
  const about = conditions.filter(
    ({ leftSide, operator }) => propertyOf(leftSide) === 'status' && wholeValueOperators.includes(operator),
  )
  if (about.length === 0) return []
  const { anyValue, names } = await knownStates(ctx, containerIds)
  if (anyValue) return []
  return about.flatMap(({ rightSide, path }) =>
    readList(rightSide)
      .filter(word => word !== '' && !names.has(word.toLowerCase()))
      .map(word => ({ path, code: 'unknown-state', message: `no workflow has the state ${word}` })),
  )
}
