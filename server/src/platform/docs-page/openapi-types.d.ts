/** What an element of the page can contain. */
export type Child = Node | string | undefined | Child[]

/** The parts of a JSON Schema that the page shows. */
export interface Schema {
  $ref?: string
  title?: string
  anyOf?: Schema[]
  type?: string | string[]
  format?: string
  description?: string
  const?: unknown
  default?: unknown
  example?: unknown
  enum?: unknown[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  maxItems?: number
  pattern?: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export interface Response {
  $ref?: string
  description: string
  content?: Record<string, { schema: Schema }>
  headers?: Record<string, unknown>
}

/** An operation as the document describes it. */
export interface DescribedOperation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Response>
  'x-permission'?: string
  'x-roles'?: string[]
}

/** An operation with its address, and the text by which the search finds it. */
export interface Operation extends DescribedOperation {
  method: string
  path: string
  text: string
}

/** The operations that share a tag. */
export interface Area {
  tag: string
  title: string
  under: string
  operations: Operation[]
}

export interface ApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema>; responses?: Record<string, Response> }
}
