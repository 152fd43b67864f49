import { call, type Item } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonOf } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { Editor } from '../../../kit/editor/editor.tsx'
import { Button } from '../../../kit/kit.tsx'
import { editorTexts } from '../text/editor-texts.ts'
import { uploadIntoText } from '../text/upload.ts'
import { usePeopleFinder } from '../text/use-people-finder.ts'
import { say } from './messages.ts'
import type { Message } from './thread.ts'

/** A message of one's own, being changed. Its former text stays readable for the team. */
export function MessageEditor({ item, message, onDone }: { item: Item; message: Message; onDone: () => void }) {
  const [text, setText] = useState(message.body)
  const [problem, setProblem] = useState('')
  const findPeople = usePeopleFinder()
  const client = useQueryClient()
  const save = async () => {
    if (text.trim() === '' || text === message.body) return onDone()
    try {
      const { changeSet } = await call(gantry, 'PATCH /annotation/{id}', {
        path: { id: message.id },
        body: { body: text },
        ifMatch: `"v${message.version}"`,
      }).withResponse()
      remember(changeSet, say.messageChanged)
      await client.invalidateQueries({ queryKey: ['conversation', item.id] })
      onDone()
    } catch (error) {
      setProblem(reasonOf(error))
    }
  }
  return (
    <div className="composer">
      <Editor
        label={say.edit}
        placeholder=""
        text={message.body}
        texts={editorTexts()}
        findPeople={findPeople}
        autoFocus
        onText={setText}
        onSend={save}
        onEscape={onDone}
        upload={file => uploadIntoText(item.id, file)}
      />
      {problem && <p className="why">{problem}</p>}
      <div className="composer-foot">
        <span className="grow" />
        <Button look="ghost" onClick={onDone}>
          {say.cancel}
        </Button>
        <Button look="primary" keys="$mod+Enter" onClick={save}>
          {say.save}
        </Button>
      </div>
    </div>
  )
}
