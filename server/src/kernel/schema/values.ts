import { type TSchema, type TSchemaOptions, Type } from 'typebox'

// The types of properties. Each defines how a value is validated, stored and documented.

/** A line of text. */
export function Text(maxLength = 200, options: TSchemaOptions = {}) {
  return Type.String({ maxLength, ...options })
}

/** The name of a record, never empty. */
export function Name(maxLength = 200) {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S' })
}

/** Text of any length that a person writes. */
export function LongText(maxLength = 100_000) {
  return Type.String({ maxLength })
}

/** A reference to a record of the same tenant, by its id or a text that names it; `''` is none. Every write checks that the record exists for the caller. */
export function Ref(entity: string, options: TSchemaOptions = {}) {
  return Type.String({ maxLength: 254, 'x-ref': entity, ...options })
}

/** References to several records. */
export function Refs(entity: string, maxItems = 1000) {
  return Type.Array(Ref(entity, { minLength: 1 }), { maxItems })
}

/** Texts that may contain ids of records of a kind; the room validates them itself. */
export function Mentions(entity: string, maxItems = 1000, maxLength = 500) {
  return Type.Array(Type.String({ minLength: 1, maxLength, 'x-mentions': entity }), { maxItems })
}

export function Texts(maxItems = 1000, maxLength = 500) {
  return Type.Array(Type.String({ minLength: 1, maxLength }), { maxItems })
}

/** The scopes within which a record acts later in the name of a user: those of the credential that made it do so. */
export const ActingScopes = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 100,
  description:
    'The scopes of the credential that decided what this does; it acts within them. Empty: with all rights of its user.',
})

/** Any integer of 32 bits, such as a place in an order. */
export function Integer(options: TSchemaOptions = {}) {
  return Type.Integer({ minimum: -2147483648, maximum: 2147483647, ...options })
}

export function Count(maximum = 2147483647, minimum = 0, more: { description?: string } = {}) {
  return Type.Integer({ minimum, maximum, ...more })
}

/** An instant in ISO 8601 with an offset; `null` is none. */
export const Instant = Type.Unsafe<string | null>({ type: 'string', format: 'date-time', maxLength: 40 })

/** A calendar day without a time zone; `null` is none. */
export const LocalDate = Type.Unsafe<string | null>({ type: 'string', format: 'date', maxLength: 10 })

/** An IANA time zone; `''` is the default of the record's owner. */
export const Timezone = Type.String({ format: 'timezone', maxLength: 64 })

/** `HH:mm` or `HH:mm:ss`; `24:00` ends a day. */
export const TimeOfDay = Type.String({ format: 'time-of-day', maxLength: 8 })

/** An English or ISO name of a weekday, or 1 (Monday) to 7. */
export const Weekday = Type.String({ format: 'weekday', maxLength: 9 })

export const Email = Type.String({ format: 'email', maxLength: 254 })

/** E-mail addresses, one in each entry. */
export const Emails = Type.Array(Type.String({ format: 'email', minLength: 1, maxLength: 254 }), { maxItems: 100 })

/** A web address that the service may call: https or http. */
export const Url = Type.String({ format: 'url', maxLength: 2000 })

export const AnyJson = Type.Unsafe<unknown>({ description: 'any JSON value' })

/** A closed object inside a record. */
export function Part<P extends Record<string, TSchema>>(properties: P, required: (keyof P & string)[] = []) {
  return Type.Unsafe<{ [K in keyof P]?: Type.Static<P[K]> }>({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  })
}

export function Parts<P extends Record<string, TSchema>>(
  properties: P,
  required: (keyof P & string)[] = [],
  maxItems = 1000,
) {
  return Type.Array(Part(properties, required), { maxItems })
}
