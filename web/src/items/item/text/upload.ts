import { call, codes, isProblem, type File as StoredFile } from '@gantry/sdk'
import { showUpload } from '../../../documents/upload/running-uploads.ts'
import { gantry } from '../../../kernel/data/client.ts'
import { notify, remember } from '../../../kernel/data/undo.ts'
import { say as sayProblem } from '../../../kernel/problems/messages.ts'
import type { Uploaded } from '../../../kit/editor/editor-props.ts'

export const addressOf = (id: string, inline = false) => `/api/file/download/${id}${inline ? '?inline=true' : ''}`

export const isPicture = (mime: string) => /^image\/(png|jpeg|gif|webp|avif)$/.test(mime)

/** Above this a file is sent in parts; bytes. */
const large = 4 * 1024 * 1024

/** Stores a file with an item, and shows it at the place until it is stored; undefined if it is refused, which is said. */
export async function uploadTo(itemId: string, file: File, place = itemId): Promise<StoredFile | undefined> {
  const body = { file, owner: codes.owner.item, ownerId: itemId }
  if (file.size > large)
    return await (await import('../../../documents/upload/upload-large.ts')).uploadLarge(body, place)
  const stop = new AbortController()
  const { signal } = stop
  const shown = showUpload({ place, name: file.name, cancel: () => stop.abort() })
  try {
    const { answer, changeSet } = await call(gantry, 'POST /file', { body, signal }).withResponse()
    remember(changeSet, answer.name)
    return answer
  } catch (error) {
    if (!signal.aborted) notify(`${file.name}: ${isProblem(error) ? error.message : sayProblem.brokenText}`)
    return undefined
  } finally {
    shown.hide()
  }
}

/** The same for the editor, which shows pictures in the text and links other files. */
export async function uploadIntoText(itemId: string, file: File, place = itemId): Promise<Uploaded | undefined> {
  const stored = await uploadTo(itemId, file, place)
  if (!stored) return undefined
  const picture = isPicture(stored.mime)
  return { address: addressOf(stored.id, picture), name: stored.name, isPicture: picture }
}
