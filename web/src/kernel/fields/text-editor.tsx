import { type KeyboardEvent, useState } from 'react'
import type { EditProps, FieldTypeName, Property } from './field-type.ts'
import { useHere } from './here.ts'
import { say } from './messages.ts'
import { texts } from './values.ts'

const hints: Partial<Record<FieldTypeName, (property: Property) => string>> = {
  duration: () => say.durationHint,
  moment: () => say.momentHint,
  money: ({ currency = '' }) => say.moneyHint(currency),
  link: () => say.linkHint,
}

/** A line of text that is read as a value: Enter keeps it, Escape leaves it as it was. */
export function EditText({ property, value, onSave, onCancel }: EditProps) {
  const here = useHere()
  const { parse, print } = texts[property.type]
  const [text, setText] = useState(() => print(value, property, here))
  const [isBad, setBad] = useState(false)
  const isLong = property.type === 'longText'
  const save = () => {
    const next = text.trim() === '' ? emptyOf(property) : parse(text, property, here)
    if (next === undefined) setBad(true)
    else if (text === print(value, property, here)) onCancel()
    else onSave(next)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || (isLong && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    save()
  }
  const shared = {
    'aria-label': property.name,
    'aria-invalid': isBad,
    value: text,
    placeholder: hints[property.type]?.(property) ?? property.name,
    onChange: (event: { target: { value: string } }) => {
      setText(event.target.value)
      setBad(false)
    },
    onKeyDown: press,
    onBlur: save,
  }
  return (
    <div className="editor-text">
      {isLong ? <textarea rows={4} {...shared} /> : <input {...shared} />}
      {isBad && <p className="why">{say.unreadable(say.typeName(property.type))}</p>}
    </div>
  )
}

/** What stands for no value: texts are empty, everything else is null. */
const emptyOf = ({ type }: Property) => (type === 'text' || type === 'longText' ? '' : null)
