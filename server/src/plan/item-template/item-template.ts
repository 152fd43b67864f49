import { ownerVisible } from '../../documents/visibility.ts'
import { seesEverything } from '../../identity/visibility.ts'
import { type Caller, managers, staff } from '../../kernel/access.ts'
import type { Place } from '../../kernel/access-rule.ts'
import type { Context } from '../../kernel/context.ts'
import { unknownReferences } from '../../kernel/record/references.ts'
import { Invalid } from '../../kernel/refusal.ts'
import { resource } from '../../kernel/resource.ts'
import { raw, type Sql, sql } from '../../kernel/sql.ts'
import { ownerKind, refuseUnknownOwner } from '../../records/references/owner.ts'
import { namesIn, templateFindings, unknownNames } from './template-findings.ts'
import { type ItemTemplate, type ItemTemplateValues, shape } from './template-shape.ts'
import { treeFaults } from './template-tree.ts'

export { createTree } from './create-tree.ts'
export type { ChosenPerson } from './template-people.ts'

/** A tree of items that is created again and again, with dates at the same distance from an anchor. */
export const itemTemplates = resource('ItemTemplate', {
  about:
    'A tree of items that is created as a whole, with dates that are counted from an anchor. Titles and descriptions may have variables such as `{{ customer }}`; `variables` lists those that they use.',
  shape,
  serverSet: ['variables'],
  may: { read: staff, create: managers, update: managers, delete: managers },
  place: placeOf,
  visible: whatIsSeen,
  check: checkTemplate,
  findings: (template, ctx) => templateFindings(ctx, template),
  example: {
    name: 'New colleague',
    items: [
      { key: 'all', title: 'Welcome {{ name }}', due: { days: 5, working: true } },
      { key: 'desk', parentKey: 'all', title: 'Prepare a desk', start: { days: -3, working: true }, due: { days: -1 } },
      { key: 'tour', parentKey: 'all', title: 'Show {{ name }} around', checklist: ['Kitchen', 'Printer'] },
    ],
    links: [{ from: 'desk', to: 'tour', type: 'blocks' }],
  },
})

function placeOf({ owner, ownerId }: ItemTemplateValues): Place {
  return { containerId: owner === ownerKind.container ? ownerId : null }
}

/** A template is visible to callers who see its owner; one of the tenant is visible to its staff. */
function whatIsSeen(caller: Caller, t: Sql): Sql {
  if (seesEverything(caller.authority)) return raw('true')
  return ownerVisible(caller, { owner: sql`${t}.owner`, ownerId: sql`${t}.owner_id` }, { deleted: true })
}

async function checkTemplate(
  ctx: Context,
  template: ItemTemplateValues,
  before: ItemTemplate | undefined,
): Promise<void> {
  const faults = treeFaults(template)
  if (faults.length > 0) throw new Invalid(faults)
  await refuseUnknownOwner(ctx, template, before)
  // What the stored template names already was known when it was named; it may be gone since, which `check` reports.
  const names = new Set(before ? namesIn(before).map(each => each.id) : [])
  const unknown = await unknownNames(
    ctx,
    namesIn(template).filter(({ id }) => !names.has(id)),
  )
  if (unknown.length > 0) throw unknownReferences(unknown)
}
