import { Popover } from 'radix-ui'
import { type ComponentType, useRef } from 'react'
import { EditChoice, EditChoices, EditPeople } from './choice-editor.tsx'
import { EditDay } from './day-editor.tsx'
import type { EditProps, FieldTypeName } from './field-type.ts'
import { closeEditor, type OpenEditor, returnFocus } from './open-editor.ts'
import { EditText } from './text-editor.tsx'

const editors: Record<FieldTypeName, ComponentType<EditProps>> = {
  text: EditText,
  longText: EditText,
  number: EditText,
  money: EditText,
  duration: EditText,
  date: EditDay,
  moment: EditText,
  choice: EditChoice,
  person: EditChoice,
  choices: EditChoices,
  people: EditPeople,
  boolean: EditChoice,
  link: EditText,
}

/** The editor of a value, beside it. */
export function Editor({ editing }: { editing: OpenEditor }) {
  const { property, value, record, anchor, save } = editing
  const draft = useRef<{ value: unknown }>(undefined)
  const Edit = editors[property.type]
  const keep = (next: unknown) => {
    closeEditor()
    save(next)
  }
  const close = () => (draft.current ? keep(draft.current.value) : closeEditor())
  return (
    <Popover.Root open onOpenChange={open => !open && close()}>
      <Popover.Anchor virtualRef={{ current: anchor }} />
      <Popover.Portal>
        <Popover.Content
          className="menu editor"
          align="start"
          sideOffset={4}
          collisionPadding={8}
          aria-label={property.name}
          onCloseAutoFocus={event => {
            event.preventDefault()
            returnFocus()
          }}
        >
          <Edit
            property={property}
            value={value}
            record={record}
            onSave={keep}
            onCancel={closeEditor}
            onDraft={next => {
              draft.current = { value: next }
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
