import { type Action, action, actionKind, actionShape, callKind } from '../../containers/action/action.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { type Fault, fault, Invalid, RuleBroken } from '../../kernel/refusal.ts'
import { reader } from '../../kernel/schema/shape.ts'
import { Parts } from '../../kernel/schema/values.ts'
import { complete } from '../../records/input/entries.ts'

const maxActions = 50
const maxStepLength = 500

const readActions = reader<Partial<Action>[]>(Parts(actionShape, [], maxActions))

/** Reads the consequence of a decision in its stored form: null, a step of the workflow, or a list of actions. */
export function readConsequence(given: unknown, property: string): unknown {
  if (given === undefined || given === null || given === '') return null
  if (typeof given === 'string') {
    if (given.length <= maxStepLength) return given
    throw new Invalid([fault([property], 'maxLength', `must have at most ${maxStepLength} characters`, given)])
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

/** Returns the actions of a stored consequence. */
export function actionsIn(stored: unknown): Action[] {
  if (typeof stored === 'string')
    return complete(actionShape, [{ actionType: action.transition, value: stored, id: 'step' }])
  return Array.isArray(stored) ? complete(actionShape, stored).filter(each => each.active) : []
}

/** Actions beyond a change of the item are reserved for rules, because only admins write rules. */
export function refuseBeyondItem(stored: unknown, property: string): void {
  const beyond = actionsIn(stored)
    .map(({ actionType: code }, i) => ({ code, i }))
    .filter(({ code }) => isBeyondItem(code))
  if (beyond.length > 0)
    throw new RuleBroken(
      'only-for-rules',
      'an approval without a rule may only change the item',
      beyond.map(({ code, i }) =>
        fault([property, i, 'actionType'], 'only-for-rules', 'does more than change the item', code),
      ),
    )
}

function isBeyondItem(code: number): boolean {
  const kind = actionKind(code)
  return kind ? kind.runs !== 'patch' : callKind(code) !== undefined
}

/** Unknown actions are stored without effect. */
export function inertConsequences(stored: unknown, property: string): Finding[] {
  const list = Array.isArray(stored) ? complete(actionShape, stored) : []
  return list.flatMap(({ actionType: code }, i) =>
    actionKind(code)
      ? []
      : [{ path: `/${property}/${i}/actionType`, code: 'unknown-code', message: `${code} is not a known action` }],
  )
}
