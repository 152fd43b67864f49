import type { Services } from '../../../kernel/context.ts'
import { parseJson } from '../../../kernel/http/json.ts'
import type { Id } from '../../../kernel/id.ts'
import type { Form, FormPart, Received } from '../../../kernel/operation.ts'
import { fault, Invalid } from '../../../kernel/refusal.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { Code, Text } from '../../../kernel/schema/values.ts'
import type { Arrived } from '../../../platform/bytes/blobs.ts'
import { OwnId } from '../../../records/own-id.ts'
import { ownerKind } from '../../../records/references/owner.ts'
import { plainName } from '../file-name.ts'
import { mediaType } from '../media-type.ts'

/** An uploaded file: its bytes are on the disk, its record does not exist yet. */
export interface Upload {
  arrived: Arrived
  /** The id of its record, if the client has made one. */
  id?: Id | null | undefined
  name: string
  mime: string
  owner: number
  ownerId: string
  description: string
}

type Fields = Partial<Pick<Upload, 'id' | 'owner' | 'ownerId' | 'description'>>

export const description = Text(2000)

const fields: Schema = {
  type: 'object',
  properties: {
    id: OwnId,
    owner: {
      ...Code(),
      description: 'The kind of the owner: 0 the tenant, 1 a container, 3 an item, 10 a document …',
    },
    ownerId: { ...Text(100), description: 'The id of the owner.' },
    description: { ...description },
  },
  additionalProperties: false,
}
const readFields = reader<Fields>(fields)

/** One file per request, with its fields before or after it. */
export const uploadForm: Form = {
  schema: {
    ...fields,
    properties: { file: { type: 'string', format: 'binary', description: 'The file itself.' }, ...fields.properties },
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
    const { id, owner = ownerKind.tenant, ownerId = '', description = '' } = readTexts(texts)
    return {
      body: { arrived, id, name, mime: mediaType(arrived.head, name), owner, ownerId, description },
      identity: { id, name, sha256: arrived.sha256, owner, ownerId, description },
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

/** Form fields are texts, so that the number is parsed here; otherwise they are read like a JSON body. */
function readTexts(texts: Record<string, unknown>): Fields {
  const values = Object.entries(texts).map(([name, text]) => [
    name,
    /^owner$/i.test(name) && /^-?\d{1,10}$/.test(String(text)) ? Number(text) : text,
  ])
  return readFields(parseJson(JSON.stringify(Object.fromEntries(values))))
}
