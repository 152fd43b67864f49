import type { Item } from '@gantry/sdk'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { useDraft } from '../../../kernel/data/kept/drafts.ts'
import { Prose } from '../../../kernel/prose.tsx'
import { Editor } from '../../../kit/editor/editor.tsx'
import { Button } from '../../../kit/kit.tsx'
import { changeItem } from '../../change-item.ts'
import { say } from '../messages.ts'
import { ConflictChip, Refusal } from '../outcome.tsx'
import { useDescriptionHtml, useIsReadOnly } from '../use-item.ts'
import { editorTexts } from './editor-texts.ts'
import { uploadIntoText } from './upload.ts'
import { usePeopleFinder } from './use-people-finder.ts'

/** The description: click and type. It is saved when the editor is left; until then it is kept in the browser. */
export function Description({ item }: { item: Item }) {
  const { data: html, isPlaceholderData } = useDescriptionHtml(item)
  const draft = useDraft<string | undefined>(`description ${item.id}`, undefined)
  const [editing, setEditing] = useState(false)
  const [left, setLeft] = useState(false)
  const findPeople = usePeopleFinder()
  const stored = item.description ?? ''
  const readOnly = useIsReadOnly(item)
  const save = async () => {
    setLeft(true)
    const typed: string | undefined = draft.value
    if (typed === undefined || typed === stored) return draft.clear()
    const refusal = await changeItem(
      item.id,
      { description: typed },
      say.changedTo(say.description, '', item.key ?? ''),
    )
    if (!refusal) draft.clear()
  }
  // After it was left, the editor stays until the new text is there as HTML: nothing jumps back for a moment.
  const text: string = draft.value ?? stored
  const isOpen = !readOnly && (draft.value !== undefined || (editing && (!left || isPlaceholderData)))
  const open = () => {
    setLeft(false)
    setEditing(true)
  }
  if (!isOpen)
    return (
      <>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the button in it does the same by keys */}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
        <div
          className="description"
          onClick={event => {
            const onLink = event.target instanceof Element && event.target.closest('a')
            if (!onLink && !readOnly && getSelection()?.isCollapsed !== false) open()
          }}
        >
          {stored ? <Prose html={html ?? ''} /> : <p className="dim">{readOnly ? say.noDescription : say.describe}</p>}
          {!readOnly && (
            <button type="button" className="btn btn-ghost btn-icon edit-text" aria-label={say.editDescription}>
              <Pencil className="ic" />
            </button>
          )}
        </div>
        <ConflictChip item={item} property="description" />
        <Refusal item={item} property="description" />
      </>
    )
  return (
    <div className="description is-open">
      {!editing && draft.value !== undefined && (
        <p className="conflict">
          <span className="grow">{say.draftKept}</span>
          <Button look="ghost" onClick={draft.clear}>
            {say.discard}
          </Button>
        </p>
      )}
      <Editor
        label={say.description}
        placeholder={say.describe}
        text={text}
        texts={editorTexts()}
        findPeople={findPeople}
        autoFocus={editing}
        onText={text => draft.set(text)}
        onSend={save}
        onLeave={save}
        onEscape={() => document.activeElement instanceof HTMLElement && document.activeElement.blur()}
        upload={file => uploadIntoText(item.id, file)}
      />
      <ConflictChip item={item} property="description" />
      <Refusal item={item} property="description" />
    </div>
  )
}
