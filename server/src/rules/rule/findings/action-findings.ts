import { type ActionFault, type ActionKind, actionKind, callKind } from '../../../containers/action/action.ts'
import type { Finding } from '../../../kernel/record/record.ts'
import { mode, trigger } from '../rule-codes.ts'
import type { Rule } from '../rule-shape.ts'

/** Findings for actions that lack an input, or do not fit the mode of the rule. */
export function actionFindings(rule: Rule): Finding[] {
  const { actionValue, actionEndpoint } = rule
  const values = actionValue.flatMap((given, i) => {
    const [path, code = 0] = [`/actionValue/${i}`, given.actionType]
    const kind = actionKind(code)
    return kind ? faultsOf(kind, given, rule, path) : [unknownCode(`${path}/actionType`, 'action on a value', code)]
  })
  const endpoints = actionEndpoint.flatMap((given, i) => {
    const [path, code = 0] = [`/actionEndpoint/${i}`, given.actionType]
    const kind = callKind(code)
    return kind ? faultsOf(kind, given, rule, path) : [unknownCode(`${path}/actionType`, 'call', code)]
  })
  return [...values, ...endpoints]
}

/** Returns the first kind of fault only: missing inputs, then invalid values, then a wrong mode. */
function faultsOf(
  kind: ActionKind,
  given: { actionType?: number; value?: unknown },
  rule: Rule,
  path: string,
): Finding[] {
  const missing = Object.entries(missingInputs)
    .filter(([input]) => Reflect.get(kind.inputs, input) === 'required' && isEmpty(Reflect.get(given, input)))
    .map(([input, finding]) => ({ input, ...finding }))
  const wrong = 'check' in kind ? kind.check(given.value) : []
  const faults = [missing, wrong, untimely(kind, rule)].find(each => each.length > 0) ?? []
  return faults.map(({ input, code, message }) => ({ path: `${path}/${input}`, code, message }))
}

const isEmpty = (value: unknown) => String(value ?? '').trim() === ''

const missingInputs = {
  field: { code: 'no-field', message: 'has no field' },
  url: { code: 'no-url', message: 'has no URL' },
  to: { code: 'no-number', message: 'has no recipient' },
} as const

/** Returns a fault if the action does not fit the mode of the rule. */
function untimely(kind: ActionKind, rule: Rule): ActionFault[] {
  const input = 'actionType'
  if (rule.mode === mode.beforeCommit && !kind.beforeCommit)
    return [
      {
        input,
        code: 'not-before-commit',
        message: 'before the commit a rule can only set fields or refuse the change',
      },
    ]
  if (rule.mode === mode.afterCommit && kind.runs === 'veto' && rule.trigger !== trigger.mail)
    return [{ input, code: 'only-before-commit', message: 'a committed change can no longer be refused' }]
  return []
}

export function unknownCode(path: string, what: string, code: number): Finding {
  return { path, code: 'unknown-code', message: `${code} is not a known ${what}` }
}
