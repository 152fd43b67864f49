import { Type } from 'typebox'
import { AnyJson, Text } from '../../kernel/schema/values.ts'
import { Code, codeTable } from '../../records/code-table.ts'
import type { Entry } from '../../records/input/entries.ts'
import { actions } from './action-table.ts'

export { type ActionFault, actions } from './action-table.ts'

/** One number space: `actionValue` has those below 40, `actionEndpoint` those from 40 on. */
export const actionTypes = codeTable(
  'actionType',
  Object.fromEntries(Object.entries(actions).map(([name, { code, label }]) => [name, [code, label]])),
)

/** An action as rules, approvals and macros store it. */
export const actionShape = {
  actionType: Code(actionTypes),
  field: Text(200),
  value: AnyJson,
  id: Text(100),
  active: Type.Boolean({ default: true }),
}

export type Action = Entry<typeof actionShape>

type Table = typeof actions
type ActionName = keyof Table

/** The description of an action, with its name. */
export type ActionKind = { [N in ActionName]: { readonly name: N } & Table[N] }[ActionName]

/** The names of the actions whose description has these properties: `ActionsThat<{ runs: 'patch' }>`. */
export type ActionsThat<Has> = { [N in ActionName]: Table[N] extends Has ? N : never }[ActionName]

const kinds = Object.entries(actions).map(([name, kind]) => ({ name, ...kind }) as ActionKind)

/** The code of each action by its name: `action.setField`. */
export const action = Object.fromEntries(kinds.map(({ name, code }) => [name, code])) as {
  readonly [N in ActionName]: Table[N]['code']
}

const byCode: ReadonlyMap<unknown, ActionKind> = new Map(kinds.map(kind => [kind.code, kind]))

export type CallKind = Extract<ActionKind, { runs: 'call' }>
export type ValueKind = Exclude<ActionKind, CallKind>

/**
 * The action of a code in `actionValue`; undefined for an unknown code, which is reported as a finding and never
 * performed.
 */
export function actionKind(code: number): ValueKind | undefined {
  const kind = byCode.get(code)
  return kind?.runs === 'call' ? undefined : kind
}

/** The code of an endpoint without a code: a POST request. */
export const unnamedCall = 0

/** The action of a code in `actionEndpoint`; undefined for an unknown code. */
export function callKind(code: number): CallKind | undefined {
  const kind = byCode.get(code === unnamedCall ? action.httpPost : code)
  return kind?.runs === 'call' ? kind : undefined
}
