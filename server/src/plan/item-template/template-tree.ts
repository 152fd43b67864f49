import { syntaxFault } from '../../containers/content-template/content-template.ts'
import { type Fault, fault } from '../../kernel/refusal.ts'
import { parseTemplate, TemplateFault } from '../../language/liquid.ts'
import { ownerKind } from '../../records/references/owner.ts'
import type { ItemTemplateValues, TemplateNode } from './template-shape.ts'

export const maxLevels = 10

/** What is wrong with a template in itself: its keys, its tree, its links and the syntax of its texts. */
export function treeFaults({ owner, items, links }: ItemTemplateValues): Fault[] {
  const faults: Fault[] = []
  if (owner !== ownerKind.tenant && owner !== ownerKind.container)
    faults.push(fault(['owner'], 'enum', 'must be the tenant (0) or a container (1)', owner))
  const byKey = new Map<string, TemplateNode>()
  for (const [i, node] of items.entries()) {
    if (byKey.has(node.key ?? '')) faults.push(fault(['items', i, 'key'], 'duplicate', 'is a duplicate', node.key))
    byKey.set(node.key ?? '', node)
    for (const property of ['title', 'description'] as const) {
      const wrong = syntaxFault(node[property] ?? '')
      if (wrong) faults.push(fault(['items', i, property], 'template', wrong))
    }
    faults.push(...peopleFaults(node, i))
  }
  for (const [i, { parentKey = '' }] of items.entries()) {
    const path = ['items', i, 'parentKey']
    if (parentKey !== '' && !byKey.has(parentKey))
      faults.push(fault(path, 'unknown-key', 'no item of the template has this key', parentKey))
    else if (levelOf(items[i], byKey) > maxLevels)
      faults.push(fault(path, 'too-deep', `lies in a circle, or more than ${maxLevels} levels deep`, parentKey))
  }
  for (const [i, { from = '', to = '' }] of links.entries()) {
    for (const [end, key] of Object.entries({ from, to }))
      if (!byKey.has(key))
        faults.push(fault(['links', i, end], 'unknown-key', 'no item of the template has this key', key))
    if (from === to) faults.push(fault(['links', i, 'to'], 'self-link', 'is the same item as from', to))
  }
  return faults
}

/** A place is for one person, and an entry of a checklist must be there. */
function peopleFaults(
  { assignTo = [], watchedBy = [], checklistBy = [], checklist = [] }: TemplateNode,
  i: number,
): Fault[] {
  const faults: Fault[] = []
  for (const [property, all] of Object.entries({ assignTo, watchedBy, checklistBy }))
    for (const [n, each] of all.entries()) {
      const named = [each.jobRoleId, each.relation, 'userId' in each ? each.userId : ''].filter(Boolean).length
      if (named > 1)
        faults.push(
          fault(['items', i, property, n], 'one-person', 'names more than one of userId, jobRoleId and relation'),
        )
    }
  for (const [n, { entry = 0 }] of checklistBy.entries())
    if (entry >= checklist.length)
      faults.push(fault(['items', i, 'checklistBy', n, 'entry'], 'range', 'the checklist has no such entry', entry))
  return faults
}

/** The level of an item in the tree, from 1; more than the limit in a circle. */
function levelOf(node: TemplateNode | undefined, byKey: ReadonlyMap<string, TemplateNode>): number {
  let level = 0
  for (let at = node; at && level <= maxLevels; at = byKey.get(at.parentKey ?? '')) level++
  return level
}

/** The paths that the texts of a template name. Texts that are not valid are reported by the validation. */
export function variablesIn(items: readonly TemplateNode[]): string[] {
  const found = new Set<string>()
  for (const { title = '', description = '' } of items)
    for (const text of [title, description]) {
      try {
        for (const each of parseTemplate(text, 'plain').variables) if (each.length <= 500) found.add(each)
      } catch (error) {
        if (!(error instanceof TemplateFault)) throw error
      }
    }
  return [...found].sort().slice(0, 1000)
}

/** A text that a template renders as it is. */
export function literal(text: string): string {
  return /\{[{%]/.test(text) ? `{% raw %}${text.replaceAll(/\{%-?\s*endraw\s*-?%\}/g, '')}{% endraw %}` : text
}
