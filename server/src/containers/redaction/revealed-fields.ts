import { otherNames } from '../item-property/item-property.ts'

/**
 * The names of the fields and properties that a path of conditions, actions or templates reveals, in lower case: a custom field
 * by its id or key. If one of them is hidden from a caller, so is the path.
 */
export function fieldsRevealedBy(path: string): string[] {
  const plain = path
    .trim()
    .toLowerCase()
    .replace(/^change\.(.+?)(\.(from|to))?$/, '$1')
    .replace(/^item\./, '')
  const [root = '', part = ''] = plain.split('.')
  if (root === 'field') return [part || root]
  if (root === 'text') return ['title', 'description']
  const more = root === 'time' ? ['spentminutes'] : root === 'labels' ? ['tags'] : root === 'tags' ? ['labels'] : []
  const ofParent = root === 'parent' && part ? [part] : []
  return [root, (otherNames.get(root) ?? root).toLowerCase(), ...more, ...ofParent]
}

/** The paths that a template names. */
export function pathsIn(template: string): string[] {
  return template.includes('{{') || template.includes('{%') ? (template.match(/[\p{L}_][\w.-]*/gu) ?? []) : []
}
