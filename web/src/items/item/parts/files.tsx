import { call, codes, type Item, type File as StoredFile } from '@gantry/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { Paperclip, Plus, X } from 'lucide-react'
import { useRef } from 'react'
import { UploadLines } from '../../../documents/upload/upload-lines.tsx'
import { attempt } from '../../../kernel/data/attempt.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { remember } from '../../../kernel/data/undo.ts'
import { Thumb } from '../../../kernel/pictures/thumb.tsx'
import { Button } from '../../../kit/kit.tsx'
import { addressOf, isPicture } from '../text/upload.ts'
import { useIsReadOnly } from '../use-item.ts'
import { say } from './messages.ts'
import { Part } from './part.tsx'
import { sizeText } from './size-text.ts'
import { useAddFiles, useFiles } from './use-files.ts'

export function Files({ item, folded }: { item: Item; folded: boolean }) {
  const files = useFiles(item.id)
  const add = useAddFiles(item.id)
  const readOnly = useIsReadOnly(item)
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Part
      name={say.files}
      count={files.length}
      folded={folded}
      foot={<UploadLines place={item.id} />}
      acts={
        !readOnly && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label={say.addFiles}
              onChange={event => void add([...(event.target.files ?? [])])}
            />
            <Button look="icon" aria-label={say.addFiles} onClick={() => picker.current?.click()}>
              <Plus className="ic" />
            </Button>
          </>
        )
      }
    >
      <ul>
        {files.map(file => (
          <FileLine key={file.id} file={file} itemId={item.id} readOnly={readOnly} />
        ))}
      </ul>
    </Part>
  )
}

function FileLine({ file, itemId, readOnly }: { file: StoredFile; itemId: string; readOnly: boolean }) {
  const client = useQueryClient()
  const isReady = file.state === codes.fileState.ready
  const remove = async () => {
    await attempt(async () => {
      const { changeSet } = await call(gantry, 'DELETE /file/{id}', { path: { id: file.id } }).withResponse()
      remember(changeSet, say.fileDeleted(file.name))
    })
    await client.invalidateQueries({ queryKey: ['files', itemId] })
  }
  return (
    <li className="lnk">
      {isReady && isPicture(file.mime) ? (
        <Thumb picture={{ fileId: file.id, name: file.name }} size={64} />
      ) : (
        <Paperclip className="ic" />
      )}
      {isReady ? (
        <a className="cut grow" href={addressOf(file.id)} download={file.name} aria-label={say.download(file.name)}>
          <bdi>{file.name}</bdi>
        </a>
      ) : (
        <bdi className="cut grow dim">{file.name}</bdi>
      )}
      {file.state === codes.fileState.quarantined && <span className="is-warn meta">{say.quarantined}</span>}
      <span className="meta num">{sizeText(file.size)}</span>
      {!readOnly && (
        <Button look="icon" aria-label={say.deleteFile(file.name)} onClick={remove}>
          <X className="ic" />
        </Button>
      )}
    </li>
  )
}
