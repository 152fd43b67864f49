import { call, codes, isProblem, type File as StoredFile } from '@gantry/sdk'
import { gantry } from '../../../kernel/data/client.ts'
import { notify, remember } from '../../../kernel/data/undo.ts'
import type { Uploaded } from '../../../kit/editor/editor-props.ts'

export const addressOf = (id: string, inline = false) => `/api/file/download/${id}${inline ? '?inline=true' : ''}`

export const isPicture = (mime: string) => /^image\/(png|jpeg|gif|webp|avif)$/.test(mime)

/** Above this a file is sent in parts, and shown while it is on its way; bytes. */
const large = 4 * 1024 * 1024

/** Stores a file with an item; undefined if it is refused, which is said. A large one is shown at the place until it is stored. */
export async function uploadTo(itemId: string, file: File, place = itemId): Promise<StoredFile | undefined> {
  const body = { file, owner: codes.owner.item, ownerId: itemId }
  if (file.size > large)
    return await (await import('../../../documents/upload/upload-large.ts')).uploadLarge(body, place)
  try {
    const { answer, changeSet } = await call(gantry, 'POST /file', { body }).withResponse()
    remember(changeSet, answer.name)
    return answer
  } catch (error) {
    if (!isProblem(error)) throw error
    notify(error.message)
    return undefined
  }
}

/** The same for the editor, which shows pictures in the text and links other files. */
export async function uploadIntoText(itemId: string, file: File): Promise<Uploaded | undefined> {
  const stored = await uploadTo(itemId, file)
  if (!stored) return undefined
  const picture = isPicture(stored.mime)
  return { address: addressOf(stored.id, picture), name: stored.name, isPicture: picture }
}
