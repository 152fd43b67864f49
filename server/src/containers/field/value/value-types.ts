import type { Field } from '../field-record.ts'

/** One custom value, checked: as it is shown on the record, and as rows of item_value. */
export interface FieldValue {
  shown: unknown
  rows: ValueRow[]
  references: { entity: string; id: string }[]
}

/** A value as conditions and lists meet it; several values are several rows. */
interface ValueRow {
  text?: string
  number?: number
  instant?: string
  date?: string
  id?: string
}

/** What is wrong with a value, for a fault at the place where it was given. */
export interface ValueFault {
  code: string
  message: string
}

/** What a field needs to tell for its values to be read. */
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
