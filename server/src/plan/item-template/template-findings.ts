import { fieldsNamed } from '../../containers/fields-named.ts'
import { hasTypeCalled } from '../../items/link/link.ts'
import type { Context } from '../../kernel/context.ts'
import type { Finding } from '../../kernel/record/record.ts'
import { findUnknown, type Reference } from '../../kernel/record/references.ts'
import type { ItemTemplateValues, TemplateNode } from './template-shape.ts'

/** The references of a template to records that are gone, which would refuse a creation. */
export async function templateFindings(ctx: Context, template: NamingParts): Promise<Finding[]> {
  const references = template.items.flatMap(({ processId = '', labels = [], ...people }, i): Reference[] => [
    ...(processId === '' ? [] : [{ entity: 'Process', id: processId, path: ['items', i, 'processId'] }]),
    ...labels.map((id, n) => ({ entity: 'Label', id, path: ['items', i, 'labels', n] })),
    ...peopleIn(people, i),
  ])
  const unknown = [...(await findUnknown(ctx, references)), ...(await unknownNames(ctx, namesIn(template)))]
  return unknown.map(({ path, entity }) => ({
    path: `/${path.join('/')}`,
    code: 'unknown-reference',
    message: `there is no such ${entity}`,
  }))
}

/** The users and job roles that an item of a template names. */
function peopleIn(node: TemplateNode, i: number): Reference[] {
  const users = (['assignees', 'watchers'] as const).flatMap(property =>
    (node[property] ?? []).map((id, n) => ({ entity: 'User', id, path: ['items', i, property, n] })),
  )
  const places = (['assignTo', 'watchedBy', 'checklistBy'] as const).flatMap(property =>
    (node[property] ?? []).map(({ jobRoleId = '' }, n) => ({
      ...{ entity: 'JobRole', id: jobRoleId, path: ['items', i, property, n, 'jobRoleId'] },
    })),
  )
  const checking = (node.checklistBy ?? []).map(({ userId = '' }, n) => ({
    ...{ entity: 'User', id: userId, path: ['items', i, 'checklistBy', n, 'userId'] },
  }))
  return [...users, ...[...places, ...checking].filter(({ id }) => id !== '')]
}

type NamingParts = Pick<ItemTemplateValues, 'items' | 'links'>

/** The fields and link types that a template names, by an id or by a name. */
export function namesIn({ items, links }: NamingParts): Reference[] {
  return [
    ...items.flatMap(({ Field = [] }, i) =>
      Field.map(({ fieldId = '' }, n) => ({ entity: 'Field', id: fieldId, path: ['items', i, 'Field', n, 'fieldId'] })),
    ),
    ...links.flatMap(({ type = '' }, i) =>
      type === '' ? [] : [{ entity: 'LinkType', id: type, path: ['links', i, 'type'] }],
    ),
  ]
}

/** Those of the names that no field and no link type has. */
export async function unknownNames(ctx: Context, named: readonly Reference[]): Promise<Reference[]> {
  const of = (entity: string) => [...new Set(named.filter(each => each.entity === entity).map(each => each.id))]
  const known = new Set((await fieldsNamed(ctx, of('Field'))).keys())
  for (const type of of('LinkType')) if (await hasTypeCalled(ctx, type)) known.add(type)
  return named.filter(({ id }) => !known.has(id))
}
