import { Check, Minus } from 'lucide-react'
import { type FieldChoice, isEmpty, type ShowProps } from './field-type.ts'
import { useHere } from './here.ts'
import { say } from './messages.ts'
import { choiceOf, texts } from './values.ts'

// How values look. A cell has little room: what has an icon shows it alone.

const Nothing = () => <span className="dim">–</span>

export function ShowText({ property, value }: ShowProps) {
  const here = useHere()
  const text = texts[property.type].print(value, property, here)
  return text === '' ? <Nothing /> : <bdi className="cut">{text}</bdi>
}

export function ShowDay({ property, value }: ShowProps) {
  const here = useHere()
  if (typeof value !== 'string' || value === '') return <Nothing />
  const text = value === here.today ? say.today : texts[property.type].print(value, property, here)
  return <time dateTime={value}>{text}</time>
}

export function ShowTruth({ value }: ShowProps) {
  if (isEmpty(value)) return <Nothing />
  const Icon = value ? Check : Minus
  return <Icon className="ic" role="img" aria-label={value ? say.yes : say.no} />
}

export function ShowChoice({ property, value, look }: ShowProps) {
  const choice = choiceOf(property, value)
  if (!choice && isEmpty(value)) return <Nothing />
  return (
    <>
      {choice?.icon}
      {(look === 'line' || !choice?.icon) && <bdi className="cut">{choice?.label ?? String(value)}</bdi>}
    </>
  )
}

export function ShowChoices({ property, value, look }: ShowProps) {
  if (!Array.isArray(value) || value.length === 0) return <Nobody property={property} look={look} />
  const chosen = value.map((each): FieldChoice => choiceOf(property, each) ?? { value: each, label: String(each) })
  const icons = chosen.flatMap(({ icon, value: key }) => (icon ? [<span key={String(key)}>{icon}</span>] : []))
  const names = chosen.map(({ label }) => label).join(', ')
  return (
    <>
      {icons.length > 1 ? <span className="avs">{icons}</span> : chosen[0]?.icon}
      {(look === 'line' || icons.length === 0) && <bdi className="cut">{names}</bdi>}
    </>
  )
}

/** The choice of none, where there is one: nobody. */
function Nobody({ property, look }: Omit<ShowProps, 'value'>) {
  const none = choiceOf(property, '')
  return none ? <ShowChoice property={property} value="" look={look} /> : <Nothing />
}

export function ShowLink({ value }: ShowProps) {
  if (typeof value !== 'string' || value === '') return <Nothing />
  return <bdi className="cut">{value.replace(/^https?:\/\//, '')}</bdi>
}
