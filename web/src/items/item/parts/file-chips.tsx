import { call } from '@gantry/sdk'
import { useQuery } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { gantry } from '../../../kernel/data/client.ts'
import { Thumb } from '../../../kernel/pictures/thumb.tsx'
import { addressOf, isPicture } from '../text/upload.ts'
import { sizeText } from './size-text.ts'

/** The files that a message carries. */
export function FileChips({ ids, itemId }: { ids: readonly string[]; itemId: string }) {
  const { data: files = [] } = useQuery({
    queryKey: ['attachments', itemId, ids],
    enabled: ids.length > 0,
    queryFn: ({ signal }) => Promise.all(ids.map(id => call(gantry, 'GET /file/{id}', { path: { id }, signal }))),
  })
  if (files.length === 0) return null
  return (
    <div className="hstack file-chips">
      {files
        .filter(({ mime }) => isPicture(mime))
        .map(({ id, name }) => (
          <Thumb key={id} picture={{ fileId: id, name }} size={256} />
        ))}
      {files.map(({ id, name, size }) => (
        <a key={id} className="file" href={addressOf(id)} download={name}>
          <Paperclip className="ic ic-s" />
          <bdi className="cut">{name}</bdi>
          <span className="dim num">{sizeText(size)}</span>
        </a>
      ))}
    </div>
  )
}
