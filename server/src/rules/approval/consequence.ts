import { type Action, action, actionKind, actionShape, callKind } from '../../containers/action/action.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Parts } from '../../kernel/schema/values.ts'
import { complete } from '../../records/entries.ts'

const maxActions = 50
const longest = 500

const readActions = reader<Partial<Action>[]>(Parts(actionShape, [], maxActions))

/** What is to happen with a decision, as it is stored: nothing, a step of the workflow, or actions; faults tell where it is neither. */
export function readConsequence(given: unknown, property: string): unknown {
  if (given === undefined || given === null || given === '') return null
  if (typeof given === 'string') {
    if (given.length <= longest) return given
    throw new Invalid([fault([property], 'maxLength', `must have at most ${longest} characters`, given)])
  }
  if (typeof given !== 'object')
    throw new Invalid([fault([property], 'type', 'must be a step of the workflow or a list of actions', given)])
  try {
    return readActions(Array.isArray(given) ? given : [given])
  } catch (error) {
    if (error instanceof Invalid) throw new Invalid(error.faults.map(each => within(property, each)))
    throw error
  }
}

function within(property: string, { Field, Pointer, ...rest }: Fault): Fault {
  return { ...rest, Field: `${property}${Field === '' ? '' : `.${Field}`}`, Pointer: `/${property}${Pointer}` }
}

/** The actions that a stored consequence stands for. */
export function actionsIn(stored: unknown): Action[] {
  if (typeof stored === 'string')
    return complete(actionShape, [{ actionType: action.transition, value: stored, id: 'step' }])
  return Array.isArray(stored) ? complete(actionShape, stored).filter(each => each.active) : []
}

/** What goes beyond a change of the item itself is for rules, which only admins write. */
export function refuseBeyondItem(stored: unknown, property: string): void {
  const beyond = actionsIn(stored)
    .map(({ actionType: code }, i) => ({ code, i }))
    .filter(({ code }) => isBeyondItem(code))
  if (beyond.length > 0)
    throw new RuleBroken(
      'only-for-rules',
      'outside of rules an approval changes the item, and nothing else',
      beyond.map(({ code, i }) =>
        fault([property, i, 'actionType'], 'only-for-rules', 'does more than change the item', code),
      ),
    )
}

function isBeyondItem(code: number): boolean {
  const kind = actionKind(code)
  return kind ? kind.runs !== 'patch' : callKind(code) !== undefined
}

/** Actions that nobody knows are stored and do nothing. */
export function inertConsequences(stored: unknown, property: string): Finding[] {
  const list = Array.isArray(stored) ? complete(actionShape, stored) : []
  return list.flatMap(({ actionType: code }, i) =>
    actionKind(code)
      ? []
      : [{ path: `/${property}/${i}/actionType`, code: 'unknown-code', message: `${code} is no action known here` }],
  )
}
