import type { Id } from '../../../kernel/id.ts'
import { reader, type Schema } from '../../../kernel/schema/shape.ts'
import { Text } from '../../../kernel/schema/values.ts'
import { parseJson } from '../../../platform/requests/json.ts'
import { Code } from '../../../records/code-table.ts'
import { OwnId } from '../../../records/input/own-id.ts'
import { ownerKind, owners } from '../../../records/references/owner.ts'

/** What a sender says about a file, besides its name and its bytes. */
export interface UploadFields {
  /** The id of its record, if the client has made one. */
  id?: Id | null | undefined
  owner: number
  ownerId: string
  description: string
}

export const description = Text(2000)

export const fieldsSchema: Schema = {
  type: 'object',
  properties: {
    id: OwnId,
    owner: {
      ...Code(owners),
      description: 'The kind of the owner: 0 the tenant, 1 a container, 3 an item, 10 a document …',
    },
    ownerId: { ...Text(100), description: 'The id of the owner.' },
    description: { ...description },
  },
  additionalProperties: false,
}
const readFields = reader<Partial<UploadFields>>(fieldsSchema)

/** Forms and headers have texts, so that the number is parsed here; otherwise they are read like a JSON body. */
export function readTexts(texts: Readonly<Record<string, unknown>>): UploadFields {
  const values = Object.entries(texts).map(([name, text]) => [
    name,
    /^owner$/i.test(name) && /^-?\d{1,10}$/.test(String(text)) ? Number(text) : text,
  ])
  const {
    id,
    owner = ownerKind.tenant,
    ownerId = '',
    description = '',
  } = readFields(parseJson(JSON.stringify(Object.fromEntries(values))))
  return { id, owner, ownerId, description }
}
