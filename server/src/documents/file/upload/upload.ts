import type { Services } from '../../../kernel/context.ts'
import type { Form, FormPart, Received } from '../../../kernel/operation.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import type { Arrived } from '../../../platform/bytes/blobs.ts'
import { plainName } from '../file-name.ts'
import { mediaType } from '../media-type.ts'
import { fieldsSchema, readTexts, type UploadFields } from './upload-fields.ts'

/** An uploaded file: its bytes are on the disk, its record does not exist yet. */
export interface Upload extends UploadFields {
  arrived: Arrived
  name: string
  mime: string
}

/** One file per request, with its fields before or after it. */
export const uploadForm: Form = {
  schema: {
    ...fieldsSchema,
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file itself.' },
      ...fieldsSchema.properties,
    },
    required: ['file'],
  },
  receive,
}

async function receive(parts: AsyncIterable<FormPart>, { blobs }: Services): Promise<Received<Upload>> {
  const texts: Record<string, unknown> = {}
  let file: { arrived: Arrived; name: string } | undefined
  try {
    for await (const part of parts) {
      if ('text' in part) texts[part.name] = part.text
      else if (file)
        throw new Invalid([fault(['file'], 'maxItems', 'must be exactly one file; send each file in its own request')])
      else file = { name: plainName(unquoted(part.fileName)) || 'file', arrived: await blobs.arrive(part.bytes) }
    }
    if (!file) throw new Invalid([fault(['file'], 'required', 'is required')])
    const { arrived, name } = file
    const fields = readTexts(texts)
    return {
      body: { arrived, name, mime: mediaType(arrived.head, name), ...fields },
      identity: { name, sha256: arrived.sha256, ...fields },
      release: () => blobs.discard(arrived),
    }
  } catch (error) {
    if (file) await blobs.discard(file.arrived)
    throw error
  }
}

/** Browsers escape a quotation mark in the name of a file like this, and no other character. */
function unquoted(name: string): string {
  return name.replaceAll('%22', '"')
}
