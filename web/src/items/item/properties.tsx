import type { Item } from '@gantry/sdk'
import { useState } from 'react'
import { isEmpty } from '../../kernel/fields/field-type.ts'
import { Button } from '../../kit/kit.tsx'
import { ItemField } from '../item-field.tsx'
import { useItemProperties } from '../properties/properties.tsx'
import { say } from './messages.ts'
import { ConflictChip, Refusal } from './outcome.tsx'
import { Requester } from './requester.tsx'
import { useIsReadOnly, useScreen } from './use-item.ts'

/** Until the screen is known: what every item has. */
const always = ['status', 'assignees', 'priority', 'dueDate', 'estimateMinutes', 'tags']

/** What has a place of its own on the item. */
const elsewhere = ['title', 'description']

/** The properties of an item, as its screen has them. Each is edited where it stands. */
export function Properties({ item }: { item: Item }) {
  const screen = useScreen(item)
  const known = useItemProperties()
  const fixed = useIsReadOnly(item)
  const fields = screen?.sections.flatMap(section => section.fields)
  const lines = fields
    ? fields.map(({ core, key, readOnly }) => ({ path: pathOf(core, key), readOnly: readOnly || fixed }))
    : always.map(path => ({ path, readOnly: fixed }))
  const described = lines.flatMap(({ path, readOnly }) => {
    const property = elsewhere.includes(path) ? undefined : known.get(path)
    return property ? [{ property, readOnly }] : []
  })
  const [showsAll, setShowsAll] = useState(false)
  const isFilled = (value: unknown) => !isEmpty(value) && value !== 0 && value !== false
  const shown = described.filter(
    ({ property }) => showsAll || always.includes(property.path) || isFilled(property.read(item)),
  )
  return (
    <div className="sect">
      <Refusal item={item} />
      <dl className="props item-props">
        <Requester item={item} />
        {shown.map(({ property, readOnly }) => (
          <div key={property.path} className="prop">
            <dt>
              <bdi>{property.name}</bdi>
            </dt>
            <dd inert={readOnly}>
              <ItemField item={item} path={property.path} look="line" />
              {Object.keys(property.write(null)).map(name => (
                <ConflictChip key={name} item={item} property={name} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {!showsAll && shown.length < described.length && (
        <Button look="ghost" onClick={() => setShowsAll(true)}>
          {say.moreProperties(described.length - shown.length)}
        </Button>
      )}
    </div>
  )
}

/** The path of a field of a screen: `Tags` has the path `tags`, as in conditions. */
const pathOf = (core: boolean, key: string) => (core ? (key === 'Tags' ? 'tags' : key) : `field.${key}`)
