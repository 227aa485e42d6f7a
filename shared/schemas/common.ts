import { FormatRegistry, Kind, type Static, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'

// Constraints that TypeBox does not know. Registered here, so that whoever holds a schema can check it.
FormatRegistry.Set('date-time', isInstant)
FormatRegistry.Set('day-or-instant', (text) => isInstant(text.length === 10 ? `${text}T00:00:00Z` : text))
FormatRegistry.Set('time-zone', (text) => timeZonePattern.test(text) && isKnownTimeZone(text))
FormatRegistry.Set('locale', (text) => text.length <= 35 && isKnownLocale(text))
FormatRegistry.Set('email', (text) => text.length <= 254 && emailPattern.test(text))
TypeRegistry.Set<{ decimals: number; minimum: number; maximum: number }>('Decimal', (schema, value) => {
  if (typeof value !== 'number' || !(value >= schema.minimum && value <= schema.maximum)) return false
  return Number(value.toFixed(schema.decimals)) === value
})
TypeRegistry.Set<{ minLength: number; maxLength: number; pattern: string }>('Words', (schema, value) => {
  if (typeof value !== 'string' || value.length > schema.maxLength || value.length < schema.minLength)
    return false
  if (!value.isWellFormed() || !new RegExp(schema.pattern).test(value)) return false
  return schema.minLength === 0 || visible.test(value)
})

/** Anything but spaces, controls, format characters and what else leaves no ink (U+2800 is a blank symbol). */
const visible = /[^\p{Separator}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/
/** As we write it ourselves, row by row, on a day that every month has: nobody needs a calendar for that. */
const ownPattern =
  /^(19|[2-8]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/** Names only: of an offset such as +02:00 the database would take the opposite. */
const timeZonePattern = /^[a-z_]+(\/[\w+-]+){0,2}$/i
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i

/** A day that is in the calendar, in the years that JavaScript and Postgres write alike. */
function isInstant(text: string): boolean {
  if (ownPattern.test(text)) return true
  const at = Date.parse(text)
  const day = text.slice(0, 10)
  return (
    timestampPattern.test(text) &&
    at >= Date.UTC(1900) &&
    at < Date.UTC(9999) &&
    new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  )
}

function isKnownTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

function isKnownLocale(name: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(name).length > 0
  } catch {
    return false
  }
}

/** The id of one of our records. Bounded so that a JSON number holds it exactly. */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  rule: 'must be a positive whole number',
})

/** An id of the platform. Which namespace is right depends on the platform: `gid` lets the API check it. */
export function Gid(type: 'Product' | 'ProductVariant' | 'Location') {
  return Type.String({
    pattern: `^gid://[a-z]+/${type}/[1-9]\\d{0,19}$`,
    gid: type,
    rule: `must be an id of the platform, as in gid://<namespace>/${type}/123`,
  })
}

/** An instant in UTC, ISO 8601. */
export const Timestamp = Type.String({
  format: 'date-time',
  rule: 'must be a date and time, as in 2026-03-01T12:00:00Z',
})

/** A day of the shop's time zone. */
export const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  rule: 'must be a date, as in 2026-03-01',
})

/** A day, or an instant. */
const DayOrInstant = Type.String({
  format: 'day-or-instant',
  rule: 'must be a date or a date and time, as in 2026-03-01 or 2026-03-01T12:00:00Z',
})

/** What reports and ledgers are limited by (`shared/domain/date-range.ts`). */
export const dateFields = { startDate: Type.Optional(DayOrInstant), endDate: Type.Optional(DayOrInstant) }
export type DateRange = { startDate?: string; endDate?: string }

/**
 * Words on one line: no control characters, no halves of characters, and something to see where `minLength` is 1 or
 * more. Texts of a request are trimmed before they are checked.
 */
export const Text = (maxLength: number, minLength = 0) =>
  words(minLength, maxLength, '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$', {
    rule: `must be ${minLength > 0 ? 'filled in and ' : ''}on one line, at most ${maxLength} characters, without control or broken characters`,
  })

/** Words on several lines: tabs and the line breaks CR and LF are fine, other control characters are not. */
export const LongText = (maxLength: number) =>
  words(0, maxLength, '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$', {
    rule: `must be at most ${maxLength} characters, without control or broken characters`,
  })

/** The pattern is for readers of the API document, too, so it holds only what every dialect of patterns knows. */
function words(minLength: number, maxLength: number, pattern: string, { rule }: { rule: string }) {
  return Type.Unsafe<string>({ [Kind]: 'Words', type: 'string', minLength, maxLength, pattern, rule })
}

export const Email = Type.Union([Type.String({ format: 'email' }), Type.Literal('')], {
  rule: 'must be an e-mail address',
})

export const TimeZone = Type.String({
  format: 'time-zone',
  rule: 'must be the name of a time zone, as in Europe/Paris',
})

export const Locale = Type.String({ format: 'locale', rule: 'must be a language and a region, as in fr-FR' })

/** Money: a JSON number with at most so many decimals, never negative. Sums are made in SQL. */
export const Money = (decimals: 2 | 4) =>
  Type.Unsafe<number>({
    [Kind]: 'Decimal',
    type: 'number',
    decimals,
    minimum: 0,
    maximum: 1_000_000_000,
    rule: `must be a number from 0 to 1 000 000 000 with at most ${decimals} decimals`,
  })

/** How many pieces somebody orders or moves. */
export const Quantity = Type.Integer({
  minimum: 1,
  maximum: 1_000_000_000,
  rule: 'must be a whole number from 1 to 1 000 000 000',
})

/** A sum of money as we answer it: exact to the cent. */
export const Amount = Type.Number()

/** `null` is allowed, and clears an optional field of a request. */
export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { rule: schema.rule })

/** One of a few words. */
export const choices = <T extends string>(...values: T[]) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { rule: `must be one of ${values.join(', ')}` },
  )

/** The cursor of a list in the order of two numbers. */
export const PairCursor = Type.String({
  pattern: '^(0|[1-9]\\d{0,15})-[1-9]\\d{0,14}$',
  rule: 'must come from the Link header of a page',
})

/** An array as queries return it. */
export const List = <T extends TSchema>(item: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(item))

/** The body of a successful answer (specification, "Resources and their fields"). */
export const Ok = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

/** The body of a failed answer. */
export const Failure = Type.Object({
  success: Type.Literal(false),
  error: Type.Object({
    code: Type.String(),
    message: Type.String({ description: 'A sentence for the merchant' }),
    details: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String({ description: 'A JSON pointer, as in /lineItems/0/quantity' }),
          message: Type.String(),
        }),
      ),
    ),
    requestId: Type.String(),
  }),
})
export type Failure = Static<typeof Failure>

export const IdParam = Type.Object({ id: Id }, { additionalProperties: false })

/** The page of a list: keyset, newest first; `cursor` comes from the `Link` header of the page before. */
export const pageFields = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 250, rule: 'must be a whole number from 1 to 250' }),
  ),
  cursor: Type.Optional(Id),
}
export const PageQuery = Type.Object(pageFields, { additionalProperties: false })
export type PageQuery = Static<typeof PageQuery>

export const Message = Type.Object({ message: Type.String() })
export type Message = Static<typeof Message>
