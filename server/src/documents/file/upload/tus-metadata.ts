import { plainName } from '../file-name.ts'
import { readPairs } from './tus-protocol.ts'
import { readTexts, type UploadFields } from './upload-fields.ts'

export interface TusMetadata extends UploadFields {
  name: string
}

/** Reads `Upload-Metadata`: the name of the file and the fields that a form has. What clients say about its type is not needed. */
export function readMetadata(header: string): TusMetadata {
  const { filename = '', filetype: _, ...texts } = readPairs(header)
  return { name: plainName(filename) || 'file', ...readTexts(texts) }
}
