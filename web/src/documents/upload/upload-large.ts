import { type Body, call, isProblem, type File as StoredFile } from '@gantry/sdk'
import { resumeUpload, uploadFile } from '@gantry/sdk/upload'
import { gantry, useConnection } from '../../kernel/data/client.ts'
import { notify, remember } from '../../kernel/data/undo.ts'
import { say } from './messages.ts'
import { showUpload } from './running-uploads.ts'

/**
 * Stores a large file in parts and shows how far it is. It waits for a lost connection and goes on. Undefined if somebody cancels it, or
 * if it is refused, which is said.
 */
export async function uploadLarge(
  body: Body<'POST /file'> & { file: File },
  place: string,
): Promise<StoredFile | undefined> {
  const { file } = body
  const stop = new AbortController()
  const { signal } = stop
  const shown = showUpload({ place, name: file.name, cancel: () => stop.abort() })
  shown.tell(0)
  let id: string | undefined
  const options = {
    signal,
    onBegin: (begun: string) => {
      id = begun
    },
    onProgress: (stored: number, size: number) => shown.tell(stored / size),
  }
  try {
    for (;;) {
      try {
        const { file: stored, changeSet } = id
          ? await resumeUpload(gantry, id, file, options)
          : await uploadFile(gantry, body, options)
        remember(changeSet, stored.name)
        return stored
      } catch (error) {
        if (signal.aborted || !useConnection.getState().offline) throw error
        // A file that was changed or removed in between fails like a lost connection. This tells them apart.
        await file.slice(0, 1).arrayBuffer()
        await reachable(signal)
      }
    }
  } catch (error) {
    if (id) void call(gantry, 'DELETE /file/upload/{id}', { path: { id } }).catch(() => undefined) // the service forgets it in a day
    if (!signal.aborted) notify(isProblem(error) ? `${file.name}: ${error.message}` : say.unreadable(file.name))
    return undefined
  } finally {
    shown.hide()
  }
}

/** Resolves when the service can be reached again, or nobody waits for that any more. */
function reachable(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const check = () => {
      if (useConnection.getState().offline && !signal.aborted) return
      stop()
      resolve()
    }
    const stop = useConnection.subscribe(check)
    signal.addEventListener('abort', check, { once: true })
    check()
  })
}
