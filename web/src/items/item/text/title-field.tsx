import type { Item } from '@gantry/sdk'
import { useState } from 'react'
import { useEditing } from '../../../kernel/data/records/editing.ts'
import { changeItem } from '../../change-item.ts'
import { say } from '../messages.ts'
import { ConflictChip, Refusal } from '../outcome.tsx'
import { useIsReadOnly } from '../use-item.ts'

export function TitleField({ item }: { item: Item }) {
  const [text, setText] = useState<string>()
  const readOnly = useIsReadOnly(item)
  useEditing('Item', item.id, 'title', text !== undefined)
  const save = () => {
    const title = text?.trim()
    if (title && title !== item.title)
      void changeItem(item.id, { title }, say.changedTo(say.title, title, item.key ?? ''))
    setText(undefined)
  }
  return (
    <div>
      <textarea
        className="title-edit"
        dir="auto"
        aria-label={say.title}
        rows={1}
        value={text ?? item.title ?? ''}
        readOnly={readOnly}
        onChange={event => setText(event.target.value.replaceAll('\n', ' '))}
        onBlur={save}
        onKeyDown={event => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key !== 'Escape') return
          // The text as it was; the peek stays open.
          event.stopPropagation()
          setText(undefined)
        }}
      />
      <ConflictChip item={item} property="title" />
      <Refusal item={item} property="title" />
    </div>
  )
}
