import { placement as placementCode } from '../field/field-codes.ts'
import { factsOf, type ItemProperty, itemProperties } from '../item-property/item-property.ts'
import { momentCodes } from '../screen/screen-moment.ts'

/** A field of a container, as far as screens need it. */
export interface ScreenField {
  fieldId: string
  required: boolean
  placement: readonly number[]
}

interface ScreenFieldPlace {
  fieldId: string
  width: number
  readOnly: boolean
  required: boolean
}

interface Section<P = ScreenFieldPlace> {
  title: string
  columns: number
  fields: P[]
}

const { all, create, edit, view, transition, portal, quickAdd } = momentCodes

/** The placements that each moment shows. */
const placements: Record<number, readonly number[]> = {
  [create]: [placementCode.createForm],
  [edit]: [placementCode.editForm],
  [view]: [placementCode.attributes, placementCode.content],
  [transition]: [placementCode.editForm],
  [portal]: [placementCode.portalForm, placementCode.portalView],
  [quickAdd]: [placementCode.quickAdd],
}

const texts: readonly string[] = ['title', 'description'] satisfies ItemProperty[]
const attributes: readonly string[] = itemProperties.filter(each => factsOf(each).generated && !texts.includes(each))

/** The item properties that a moment shows. */
const core: Record<number, readonly string[]> = {
  [all]: [...texts, ...attributes],
  [create]: [...texts, ...attributes.filter(each => each !== 'remainingMinutes')],
  [edit]: [...texts, ...attributes],
  [view]: [...texts, ...attributes],
  [transition]: ['status'],
  [portal]: texts,
  [quickAdd]: ['title'],
}

/**
 * The generated screen for an occasion without a stored one: the texts, the other item properties, and the fields of
 * the container according to their placement. `fields` are those of the container, in its order.
 */
export function generatedSections(moment: number, fields: readonly ScreenField[], isCore: (name: string) => boolean) {
  const shown = core[moment] ?? core[all] ?? []
  const said = new Map(fields.map(each => [each.fieldId, each]))
  const place = (fieldId: string): ScreenFieldPlace => ({
    fieldId,
    width: texts.includes(fieldId) ? 12 : 6,
    readOnly: moment === view || (moment === portal && isOnlyViewed(said.get(fieldId))),
    required: fieldId === 'title' || (said.get(fieldId)?.required ?? false),
  })
  const own = fields.filter(each => !isCore(each.fieldId) && isPlaced(each, moment))
  const inBody = own.filter(each => moment === view && each.placement.includes(placementCode.content))
  const sections: Section[] = [
    { title: '', columns: 1, fields: shown.filter(each => texts.includes(each)).map(place) },
    { title: 'Attributes', columns: 2, fields: shown.filter(each => !texts.includes(each)).map(place) },
    {
      title: 'Fields',
      columns: 2,
      fields: own.filter(each => !inBody.includes(each)).map(each => place(each.fieldId)),
    },
    { title: 'More', columns: 1, fields: inBody.map(each => place(each.fieldId)) },
  ]
  return sections.filter(each => each.fields.length > 0)
}

/** The moments at which new items are written. */
const writing: readonly number[] = [create, quickAdd, portal]

/** A field without a placement is shown everywhere; a required field is shown wherever items are written. */
function isPlaced({ placement, required }: ScreenField, moment: number): boolean {
  const here = placements[moment]
  if (here === undefined || placement.length === 0 || placement.includes(placementCode.everywhere))
    return moment !== quickAdd || required
  return placement.some(each => here.includes(each)) || (required && writing.includes(moment))
}

/** Requesters read such a field of their items, and do not fill it in. */
function isOnlyViewed(field: ScreenField | undefined): boolean {
  return field !== undefined && !field.required && field.placement.includes(placementCode.portalView) && !isAsked(field)
}

const isAsked = ({ placement }: ScreenField) =>
  placement.includes(placementCode.portalForm) || placement.includes(placementCode.everywhere)
