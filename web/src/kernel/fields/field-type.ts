import type { codes } from '@gantry/sdk'
import type { ComponentType, ReactNode } from 'react'
import type { Values } from '../data/records/store.ts'

// A property of a record is described once; cells, cards, pages, forms, the bulk bar and conditions all read the description.

/** The operators of conditions, by the names of the service. */
export type OperatorName = keyof typeof codes.operator

export type ChoiceValue = string | number | boolean

/** A value that can be chosen. */
export interface FieldChoice {
  value: ChoiceValue
  label: string
  icon?: ReactNode
  /** Why it cannot be chosen. */
  why?: string | undefined
  /** What is said beside it. */
  hint?: string | undefined
}

export type FieldTypeName =
  | 'text'
  | 'longText'
  | 'number'
  | 'money'
  | 'date'
  | 'moment'
  | 'duration'
  | 'choice'
  | 'choices'
  | 'person'
  | 'people'
  | 'boolean'
  | 'link'

/** A property of records of some kind, as the service describes it. */
export interface Property {
  /** The path in conditions and sort orders: `dueDate`, `field.cost`. */
  path: string
  name: string
  type: FieldTypeName
  /** The values that can be chosen, in their order. */
  choices?: readonly FieldChoice[]
  /** The choices of one record, asked for when they are shown: they depend on the record, or are too many to know. */
  findChoices?: (text: string, record: object | undefined) => Promise<readonly FieldChoice[]>
  /** The choices depend on the record: those at hand are the choices of a condition. */
  perRecord?: boolean
  /** `findChoices` finds by more than the names of choices, so that what it found is shown as it is. */
  searched?: boolean
  /** A choice that does not exist can be typed, and is made with the record. */
  open?: boolean
  /** It cannot be changed by people. */
  readOnly?: boolean
  min?: number | undefined
  max?: number | undefined
  precision?: number | undefined
  currency?: string | undefined
  read: (record: object) => unknown
  /** The patch of a record that sets the value. */
  write: (value: unknown) => Values
  /** What is shown until the service answers, where that is more or other than the patch. */
  paint?: (value: unknown, record: object) => Values
  /** How the value looks, where the record says more about it than the value alone. */
  render?: (record: object, look: Look) => ReactNode
}

/** How much room a value has: a cell of a list, or a line of its own. */
export type Look = 'cell' | 'line'

export interface ShowProps {
  property: Property
  value: unknown
  look: Look
}

export interface EditProps {
  property: Property
  value: unknown
  record: object | undefined
  /** Takes the value and closes the editor. */
  onSave: (value: unknown) => void
  onCancel: () => void
  /** The value as it would be saved now: closing the editor keeps it. */
  onDraft: (value: unknown) => void
}

/** What may be done with the values of several records at once. */
export type BulkChange = 'set' | 'clear' | 'add' | 'remove'

/** A type of field: the one place that shows, reads and prints its values. */
export interface FieldType {
  Show: ComponentType<ShowProps>
  /** The value that somebody typed; undefined if it cannot be read. */
  parse: (text: string, property: Property, here: Here) => unknown
  /** The value as text: for editors, sorting out differences and copying. */
  print: (value: unknown, property: Property, here: Here) => string
  operators: readonly OperatorName[]
  bulk: readonly BulkChange[]
}

/** Where the person is, for days and times. */
export interface Here {
  timezone: string
  /** The day that it is. */
  today: string
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
