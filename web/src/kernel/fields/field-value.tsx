import { TriangleAlert } from 'lucide-react'
import { useOutcomes } from '../data/updates.ts'
import { fieldTypes, type Look, type Property } from './fields.ts'
import { useHere } from './here.ts'
import { openEditor } from './open-editor.ts'

interface FieldValueProps {
  property: Property
  record: { id: string }
  look: Look
  /** Undefined where the value cannot be changed. */
  onChange?: ((value: unknown) => void) | undefined
  className?: string
}

/** A value of a record, which opens its editor. What the service refused is said beside it. */
export function FieldValue({ property, record, look, onChange, className = '' }: FieldValueProps) {
  const here = useHere()
  const value = property.read(record)
  const { Show, print } = fieldTypes[property.type]
  const content = property.render?.(record, look) ?? <Show property={property} value={value} look={look} />
  if (property.readOnly || !onChange) return <span className={`val ${className}`}>{content}</span>
  return (
    <>
      <button
        type="button"
        className={`val ${className}`}
        data-property={property.path}
        aria-haspopup="dialog"
        aria-label={`${property.name}: ${print(value, property, here) || '–'}`}
        // The keys of the list stay those of the list: a click does not take the focus.
        onMouseDown={event => event.preventDefault()}
        onClick={event => {
          event.stopPropagation()
          openEditor({ property, value, record, anchor: event.currentTarget, save: onChange })
        }}
      >
        {content}
      </button>
      <Refusal property={property} id={record.id} look={look} />
    </>
  )
}

function Refusal({ property, id, look }: { property: Property; id: string; look: Look }) {
  const why = useOutcomes(({ refused }) => {
    const names = Object.keys(property.write(null))
    const fault = refused.get(id)?.Fields.find(({ Pointer }) => names.some(name => Pointer.startsWith(`/${name}`)))
    return fault?.Message
  })
  if (!why) return null
  return (
    <span className="why" role="alert" title={why}>
      <TriangleAlert className="ic" />
      <span className={look === 'cell' ? 'sr' : ''}>{why}</span>
    </span>
  )
}
