import type { Item, Transition } from '@gantry/sdk'
import { number } from '../../../kernel/messages/messages.ts'
import { textOf } from '../../../kernel/problems/in-words.ts'
import { say } from '../../messages.ts'
import { type ColumnState, limitPolicies, limitUnits, loadOf, otherColumn } from './board-state.ts'
import type { Held } from './board-store.ts'

/** A problem, or what it says of one card. */
interface Reason {
  body: Record<string, unknown>
  message: string
}

/** The reason that the service gives, in one sentence. */
export function refusalText({ body, message }: Reason): string {
  const { code, limit, load } = body
  if (code === 'wip-limit' && typeof limit === 'number' && typeof load === 'number')
    return say.limitReached(limit, load)
  const ways = Array.isArray(body.allowed) ? body.allowed.map(each => String(each?.name ?? '')).filter(Boolean) : []
  if (code === 'transition-not-allowed' && ways.length > 0)
    return `${sentence(message)} ${say.nextWays(ways.join(', '))}`
  return sentence(message)
}

/** Which cards say which reason: each its own if the service names one for each, otherwise all the same. */
export function refusalsOf(problem: Reason, ids: readonly string[]): [string[], string][] {
  const { refused } = problem.body
  if (!Array.isArray(refused)) return [[[...ids], refusalText(problem)]]
  return refused.map(each => [[String(each.id)], refusalText({ body: each, message: String(each.detail) })])
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)

/** Why a column does not take the cards in hand; undefined if it does, or if the service has to decide. */
export function whyNot(
  { ids, ways }: Held,
  column: ColumnState,
  columnField: string,
  itemOf: (id: string) => Item | undefined,
): string | undefined {
  const coming = ids.filter(id => !column.ids.includes(id))
  if (coming.length === 0) return undefined
  if (column.id === otherColumn || column.values.length === 0) return say.noValue
  const wip = column.wip ?? 0
  const load = column.sum + coming.reduce((sum, id) => sum + loadOf(column, itemOf(id) ?? {}), 0)
  if (wip > 0 && column.wipPolicy === limitPolicies.block && load > wip) return say.limitReached(wip, load)
  for (const id of coming) {
    const why = noWay(itemOf(id), ways.get(id) ?? [], column, columnField)
    if (why) return why
  }
  return undefined
}

function noWay(
  item: Item | undefined,
  transitions: readonly Transition[],
  { values }: ColumnState,
  columnField: string,
): string | undefined {
  const own = transitions.filter(({ fieldId }) => fieldId === columnField.replace(/^field\./, ''))
  const there = own.filter(({ to }) => values.some(value => value.toLowerCase() === to.toLowerCase()))
  if (there.length === 0 || there.some(({ allowed }) => allowed)) return undefined
  const [reason] = there.flatMap(({ reasons }) => reasons)
  const open = own.filter(({ allowed }) => allowed).map(({ name, to }) => name || to)
  const why =
    reason?.code === 'no-way' ? say.noWay(item?.status ?? '') : sentence(textOf(reason?.code, reason?.message ?? ''))
  return open.length > 0 ? `${why} ${say.nextFor(item?.key ?? '', open.join(', '))}` : why
}

/** What is said in a column that has more than its limit. */
export function limitText({ wip = 0, sum, over, wipMode }: ColumnState): string | undefined {
  if (!over) return undefined
  const unit = wipMode === limitUnits.points ? say.points : wipMode === limitUnits.minutes ? say.minutes : ''
  return say.overLimit(number(sum), number(wip), number(sum - wip), unit)
}
