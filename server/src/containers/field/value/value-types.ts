import type { Field } from '../field-record.ts'

/** A validated custom value: as replies show it, and as rows of `item_value`. */
export interface FieldValue {
  shown: unknown
  rows: ValueRow[]
  references: { entity: string; id: string }[]
}

/** A value as conditions and lists use it; several values are several rows. */
interface ValueRow {
  text?: string
  number?: number
  instant?: string
  date?: string
  id?: string
}

/** The fault of a value; the caller adds its path. */
export interface ValueFault {
  code: string
  message: string
}

/** The properties of a field that are needed to read its values. */
export type FieldRules = Pick<
  Field,
  | 'options'
  | 'min'
  | 'max'
  | 'pattern'
  | 'allowDay'
  | 'allowHour'
  | 'allowMinute'
  | 'currency'
  | 'precision'
  | 'multiple'
> & {
  fieldType: string
}

export type Read = (field: FieldRules, given: unknown) => FieldValue | ValueFault
