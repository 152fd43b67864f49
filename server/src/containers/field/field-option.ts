import { newId } from '../../kernel/id.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'
import type { FieldValues } from './field.ts'
import { folded } from './field-value.ts'

type Options = FieldValues['options']

/** Options with all their parts. One that comes without its id is known by its label, so that a list of labels can be sent again. */
export function completed(options: Options, before: Options = []): Options {
  const given = new Set(options.map(each => each.id))
  return options.map(({ id, label = '', color = '', order, active = true }, i) => {
    const known = before.find(each => folded(each.label ?? '') === folded(label) && !given.has(each.id))
    return { id: id || known?.id || newId(), label, color, order: order ?? i, active }
  })
}

/** Values hold an option's id, and people find it by its label: both must tell the options apart. */
export function optionFaults(options: Options): Fault[] {
  const faults: Fault[] = []
  const ids = new Set<string>()
  const labels = new Set<string>()
  for (const [i, { id = '', label = '' }] of options.entries()) {
    if (ids.has(folded(id))) faults.push(fault(['options', i, 'id'], 'duplicate', 'is the id of another option', id))
    if (labels.has(folded(label))) {
      faults.push(fault(['options', i, 'label'], 'duplicate', 'is the label of another option', label))
    }
    ids.add(folded(id))
    labels.add(folded(label))
  }
  return faults
}
