import { isProblem } from './problem.ts'
import { delayBefore, mayPass, pause } from './retry.ts'
import { call } from './runtime.ts'
import { requestOf, send } from './send.ts'
import type { Answer, Body, Gantry } from './types.ts'

// Uploads of large files in several requests, by the tus protocol 1.0.0 (https://tus.io).

/** Files up to this size are sent in one request. */
const maxAtOnce = 4 * 1024 * 1024

/** The bytes of one part, which are those of one step of progress. A lost connection costs less: the service keeps what has arrived. */
const defaultPart = 4 * 1024 * 1024

/** Files of many GB have larger parts, because the service takes at most 10,000 of one upload. */
const usualParts = 5000

const tus = { 'tus-resumable': '1.0.0' }

export interface UploadOptions {
  /** Stops the upload. The service keeps a large one for a day, so that it can be resumed. */
  signal?: AbortSignal | undefined
  /** Is told the bytes that are stored, and the size of the file. */
  onProgress?: ((stored: number, size: number) => void) | undefined
  /** Is told the id of a large upload, with which it can be resumed, also by another process. It becomes the id of the file. */
  onBegin?: ((id: string) => void) | undefined
  /** The bytes of one request of a large upload. */
  partBytes?: number | undefined
}

export interface UploadedFile {
  file: Answer<'GET /file/{id}'>
  /** The change set by which it can be undone; unknown if the last reply was lost. */
  changeSet: string | undefined
}

/** Stores a file: a small one in one request, a large one in parts, so that a lost connection does not begin it again. */
export async function uploadFile(
  gantry: Gantry,
  body: Body<'POST /file'>,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const { signal, onBegin, onProgress } = options
  const { size } = body.file
  if (size <= maxAtOnce) {
    const { answer, changeSet } = await call(gantry, 'POST /file', { body, signal }).withResponse()
    onProgress?.(size, size)
    return { file: answer, changeSet }
  }
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadataOf(body) }
  const upload = await call(gantry, 'POST /file/upload', { headers, signal })
  onBegin?.(upload.id)
  return await sendParts(gantry, upload, body.file, options)
}

/** Continues an upload that was stopped, with the same file. One that is over is 404 (`not-found`) and has to begin again. */
export async function resumeUpload(
  gantry: Gantry,
  id: string,
  file: Blob,
  options: UploadOptions = {},
): Promise<UploadedFile> {
  const upload = await stateOf(gantry, id, options.signal)
  if (upload.length !== file.size)
    throw new TypeError(`the upload is one of ${upload.length} bytes, and the file has ${file.size}`)
  return await sendParts(gantry, upload, file, options)
}

type UploadState = Answer<'GET /file/upload/{id}'>

function stateOf(gantry: Gantry, id: string, signal: AbortSignal | undefined): Promise<UploadState> {
  return call(gantry, 'GET /file/upload/{id}', { path: { id }, headers: tus, signal })
}

async function sendParts(
  gantry: Gantry,
  upload: UploadState,
  file: Blob,
  { signal, onProgress, partBytes = Math.max(defaultPart, Math.ceil(file.size / usualParts)) }: UploadOptions,
): Promise<UploadedFile> {
  const { id } = upload
  let { offset, finished } = upload
  let changeSet: string | undefined
  for (let failures = 0; !finished; ) {
    onProgress?.(offset, file.size)
    const part = file.slice(offset, offset + partBytes)
    try {
      const response = await sendPart(gantry, id, offset, part, signal)
      changeSet = response.headers.get('change-set') ?? undefined
      offset += part.size
      finished = offset === file.size
      failures = 0
    } catch (error) {
      if (signal?.aborted || failures >= gantry.retries || !mayContinue(error)) throw error
      await pause(delayBefore(failures, isProblem(error) ? error.headers.get('retry-after') : null), signal)
      const state = await stateOf(gantry, id, signal)
      failures = state.offset > offset ? 0 : failures + 1
      offset = state.offset
      finished = state.finished
    }
  }
  onProgress?.(file.size, file.size)
  return { file: await call(gantry, 'GET /file/{id}', { path: { id }, signal }), changeSet }
}

/** Sends a part once: whether its bytes have to be sent again is known only when the service has told its offset. */
function sendPart(
  gantry: Gantry,
  id: string,
  offset: number,
  part: Blob,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const headers = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
  return send(gantry, requestOf('PATCH /file/upload/{id}', { path: { id }, headers, signal }, { body: part }))
}

/** Whether the upload can go on after a failure: a lost connection, one that may pass, or bytes that had arrived after all. */
function mayContinue(error: unknown): boolean {
  return !isProblem(error) || mayPass(error.status, error.code) || error.code === 'wrong-offset'
}

/** `Upload-Metadata`: pairs of a name and a text in Base64. */
function metadataOf({ file, ...fields }: Body<'POST /file'>): string {
  return Object.entries({ filename: file instanceof File ? file.name : 'file', ...fields })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name} ${base64(String(value))}`)
    .join(',')
}

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
