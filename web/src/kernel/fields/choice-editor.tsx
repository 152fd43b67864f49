import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Command } from 'cmdk'
import { Check } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { ChoiceValue, EditProps, FieldChoice, Property } from './field-type.ts'
import { say } from './messages.ts'
import { fold } from './values.ts'

const shownAtMost = 50

/** One value of several: type a part of its name, Enter takes it. */
export function EditChoice({ property, value, record, onSave }: EditProps) {
  const choices = useChoices(property, record)
  return <ChoiceList {...choices} property={property} isChosen={each => each === value} onPick={each => onSave(each)} />
}

/** People: Enter names one person alone, Shift+Enter adds or removes one. */
export function EditPeople({ property, value, record, onSave }: EditProps) {
  const choices = useChoices(property, record)
  const chosen = listOf(value)
  return (
    <ChoiceList
      {...choices}
      property={property}
      isChosen={each => (each === '' ? chosen.length === 0 : chosen.includes(each))}
      hint="Shift+Enter"
      onPick={(each, more) => onSave(each === '' ? [] : more ? toggled(chosen, each) : [each])}
    />
  )
}

/** Several values: Enter adds or removes one; closing the list keeps them. */
export function EditChoices({ property, value, record, onSave, onCancel, onDraft }: EditProps) {
  const choices = useChoices(property, record)
  const [chosen, setChosen] = useState(() => listOf(value))
  const close = () => (sameValues(chosen, listOf(value)) ? onCancel() : onSave(chosen))
  return (
    <ChoiceList
      {...choices}
      property={property}
      many
      isChosen={each => chosen.includes(each)}
      onPick={each => {
        const next = toggled(chosen, each)
        setChosen(next)
        onDraft(next)
      }}
      onClose={close}
    />
  )
}

const listOf = (value: unknown): readonly ChoiceValue[] => (Array.isArray(value) ? value : [])
const toggled = (values: readonly ChoiceValue[], one: ChoiceValue) =>
  values.includes(one) ? values.filter(each => each !== one) : [...values, one]
const sameValues = (one: readonly ChoiceValue[], other: readonly ChoiceValue[]) =>
  one.length === other.length && one.every(each => other.includes(each))

interface Choices {
  text: string
  onText: (text: string) => void
  choices: readonly FieldChoice[]
  isLoading: boolean
}

/** The choices that fit what is typed: those at hand, or those that the service finds. */
export function useChoices(
  { path, choices = [], findChoices, searched }: Property,
  record: object | undefined,
): Choices {
  const [text, onText] = useState('')
  const id = record && 'id' in record ? String(record.id) : ''
  const { data, isLoading, isPlaceholderData } = useQuery({
    queryKey: ['choices', path, id, text],
    enabled: findChoices !== undefined,
    staleTime: 0,
    placeholderData: keepPreviousData,
    queryFn: () => findChoices?.(text, record) ?? [],
  })
  const wanted = fold(text)
  const known = data ?? choices
  // Until the service has answered, those of the last text are shown as far as they fit: Enter picks no other.
  const isAnswered = searched && !isPlaceholderData
  const fitting = wanted === '' || isAnswered ? known : known.filter(({ label }) => fold(label).includes(wanted))
  const ordered = searched
    ? [...fitting]
    : [...fitting].sort((one, other) => Number(begins(other, wanted)) - Number(begins(one, wanted)))
  return { text, onText, choices: ordered.slice(0, shownAtMost), isLoading: isLoading || isPlaceholderData }
}

const begins = ({ label }: FieldChoice, wanted: string) => fold(label).startsWith(wanted)

interface ListProps extends Choices {
  property: Property
  isChosen: (value: ChoiceValue) => boolean
  onPick: (value: ChoiceValue, more: boolean) => void
  many?: boolean
  hint?: string
  onClose?: () => void
}

function ChoiceList({ property, text, onText, choices, isLoading, isChosen, onPick, many, hint, onClose }: ListProps) {
  const canCreate = property.open && text.trim() !== '' && !choices.some(({ label }) => fold(label) === fold(text))
  const first = choices.find(({ why }) => !why)
  const [marked, setMarked] = useState('')
  const pick = (value: ChoiceValue, more = false) => {
    onText('')
    onPick(value, more)
  }
  const press = (event: KeyboardEvent) => {
    const more = event.key === 'Enter' && event.shiftKey
    if (more) {
      const choice = choices.find(each => String(each.value) === marked)
      if (choice && !choice.why) pick(choice.value, true)
    } else if (onClose && (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))))
      onClose()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <Command
      shouldFilter={false}
      label={property.name}
      loop
      value={marked}
      onValueChange={setMarked}
      onKeyDownCapture={press}
      {...(first ? { defaultValue: String(first.value) } : {})}
    >
      <Command.Input value={text} onValueChange={onText} placeholder={`${property.name}…`} />
      <Command.List label={property.name}>
        {!isLoading && !canCreate && <Command.Empty>{say.nothing}</Command.Empty>}
        {choices.map(choice => (
          <Command.Item
            key={String(choice.value)}
            value={String(choice.value)}
            disabled={choice.why !== undefined}
            onSelect={() => pick(choice.value)}
            {...(many ? { 'aria-checked': isChosen(choice.value) } : {})}
          >
            {many && (
              <span className={`box ${isChosen(choice.value) ? 'is-on' : ''}`}>
                {isChosen(choice.value) && <Check className="ic" />}
              </span>
            )}
            {choice.icon}
            <bdi className="grow cut">{choice.label}</bdi>
            {(choice.why ?? choice.hint) && <span className="meta">{choice.why ?? choice.hint}</span>}
            {!many && isChosen(choice.value) && <Check className="ic" />}
          </Command.Item>
        ))}
        {canCreate && (
          <Command.Item value={`+${text}`} onSelect={() => pick(text.trim())}>
            {say.create(text.trim())}
          </Command.Item>
        )}
      </Command.List>
      {hint && (
        <p className="editor-foot meta">
          <kbd className="kbd">{hint}</kbd> {say.addsOne}
        </p>
      )}
      {many && (
        <p className="editor-foot meta">
          <kbd className="kbd">Esc</kbd> {say.done}
        </p>
      )}
    </Command>
  )
}
