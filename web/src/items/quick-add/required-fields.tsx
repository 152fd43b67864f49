import { call, codes } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { gantry } from '../../kernel/data/client.ts'
import type { Values } from '../../kernel/data/records/store.ts'
import { FieldValue } from '../../kernel/fields/field-value.tsx'
import type { Property } from '../../kernel/fields/fields.ts'
import { useItemProperties } from '../properties/properties.tsx'
import type { Entered } from './quick-draft.ts'

/** The properties that the screen for quick adding requires, and that a line cannot say. */
export function useRequired(containerId: string | undefined, processId: string | undefined): Property[] {
  const properties = useItemProperties()
  const { data } = useQuery({
    queryKey: ['screen', containerId, processId, codes.screenMoment.quickAdd],
    enabled: containerId !== undefined,
    staleTime: 300_000,
    queryFn: ({ signal }) => {
      const moment = codes.screenMoment.quickAdd
      const query = { containerId: containerId ?? '', moment, ...(processId ? { processId } : {}) }
      return call(gantry, 'GET /screen/resolve', { query, signal })
    },
  })
  const fields = data?.sections.flatMap(section => section.fields) ?? []
  return fields
    .filter(({ required, readOnly, key }) => required && !readOnly && key !== 'title')
    .flatMap(({ core, key }) => properties.get(core ? (paths[key] ?? key) : `field.${key}`) ?? [])
}

/** Properties that screens call otherwise than conditions. */
const paths: Record<string, string> = { labels: 'tags', Tags: 'tags' }

interface FieldsProps {
  properties: readonly Property[]
  entered: Entered
  onEnter: (entered: Entered) => void
  /** What the service refused, by the name of the property. */
  refused: (names: readonly string[]) => string | undefined
}

export function RequiredFields({ properties, entered, onEnter, refused }: FieldsProps) {
  return (
    <dl className="props">
      {properties.map(property => {
        const why = refused(Object.keys(property.write(null)))
        return [
          <dt key={`${property.path} name`}>{property.name}</dt>,
          <dd key={property.path}>
            <FieldValue
              property={property}
              record={entered}
              look="line"
              onChange={value =>
                onEnter({ ...entered, ...(property.paint?.(value, entered) ?? property.write(value)) })
              }
            />
            {why && (
              <span className="why" role="alert">
                {why}
              </span>
            )}
          </dd>,
        ]
      })}
    </dl>
  )
}

/** What was entered, as the service takes it. */
export function enteredValues(properties: readonly Property[], entered: Entered): Values {
  const parts = properties.map(property => property.write(property.read(entered)))
  const fields = parts.flatMap(part => (Array.isArray(part.Field) ? part.Field : []))
  return { ...Object.assign({}, ...parts), ...(fields.length > 0 ? { Field: fields } : {}) }
}
