import { newId } from '../../kernel/id.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'
import type { FieldValues } from './field-record.ts'

type Options = FieldValues['options']
export type Option = Options[number]

/**
 * Completes options. An option without an id is matched by its label, so that a list of labels can be sent repeatedly.
 */
export function completed(options: Options, before: Options = []): Options {
  const given = new Set(options.map(each => each.id))
  return options.map(({ id, label = '', color = '', order, active = true, parentId = '' }, i) => {
    const known = before.find(
      each => folded(each.label ?? '') === folded(label) && (each.parentId ?? '') === parentId && !given.has(each.id),
    )
    return { id: id || known?.id || newId(), label, color, order: order ?? i, active, parentId }
  })
}

/** Values hold the id of an option and users choose it by its label among its siblings, so both must be unique. */
export function optionFaults(options: Options): Fault[] {
  const faults: Fault[] = []
  const ids = new Set<string>()
  const labels = new Set<string>()
  for (const [i, option] of options.entries()) {
    const { id = '', label = '', parentId = '' } = option
    const called = `${parentId} ${folded(label)}`
    if (ids.has(bare(id))) faults.push(fault(['options', i, 'id'], 'duplicate', 'is the id of another option', id))
    if (labels.has(called)) {
      faults.push(fault(['options', i, 'label'], 'duplicate', 'is the label of another option', label))
    }
    if (parentId !== '') {
      const way = wayTo(options, option)
      const complete = way[0]?.parentId === '' || way[0]?.parentId === undefined
      if (!complete)
        faults.push(
          fault(
            ['options', i, 'parentId'],
            'tree',
            'is not the id of another option, or leads into a circle',
            parentId,
          ),
        )
    }
    ids.add(bare(id))
    labels.add(called)
  }
  return faults
}

/** The maximum nesting depth of options. */
const deepest = 10

/** The path of options from the root to this one; a cycle or a missing parent makes it incomplete. */
export function wayTo(options: readonly Option[], option: Option): Option[] {
  const way = [option]
  for (let above = option.parentId; above; above = way[0]?.parentId) {
    const parent = options.find(each => each.id === above)
    if (!parent || way.length >= deepest) return way
    way.unshift(parent)
  }
  return way
}

/** The form in which labels are compared. */
export function folded(label: string): string {
  return label.trim().normalize('NFC').toLowerCase()
}

/** The form in which ids are stored for conditions: without case and accents. */
function bare(id: string): string {
  return id
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
}
