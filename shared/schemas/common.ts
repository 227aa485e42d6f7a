import {
  FormatRegistry,
  Kind,
  type Static,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { isCountry } from './country-codes.ts'
import { isCurrency } from './currency-codes.ts'

// Constraints that TypeBox does not have. They are registered here, so that every module with a schema can check it.
FormatRegistry.Set('date-time', isInstant)
FormatRegistry.Set('day-or-instant', (text) => isInstant(text.length === 10 ? `${text}T00:00:00Z` : text))
FormatRegistry.Set('day', (text) => dayPattern.test(text) && isInstant(`${text}T00:00:00Z`))
FormatRegistry.Set('month', (text) => text.length === 7 && isInstant(`${text}-01T00:00:00Z`))
FormatRegistry.Set('currency', isCurrency)
FormatRegistry.Set('country', isCountry)
FormatRegistry.Set('time-zone', (text) => timeZonePattern.test(text) && isKnownTimeZone(text))
FormatRegistry.Set('locale', (text) => text.length <= 35 && isKnownLocale(text))
FormatRegistry.Set('email', (text) => text.length <= 254 && emailPattern.test(text))
TypeRegistry.Set<{ decimals: number; minimum: number; maximum: number }>('Decimal', (schema, value) => {
  if (typeof value !== 'number' || !(value >= schema.minimum && value <= schema.maximum)) return false
  return Number(value.toFixed(schema.decimals)) === value
})
TypeRegistry.Set<{ minLength: number; maxLength: number; pattern: string }>('Text', (schema, value) => {
  if (typeof value !== 'string' || value.length > schema.maxLength || value.length < schema.minLength)
    return false
  if (!value.isWellFormed() || !new RegExp(schema.pattern).test(value)) return false
  return schema.minLength === 0 || visible.test(value)
})

/** A character that is visible in print: no space, control or format character, and not U+2800, a blank symbol. */
const visible = /[^\p{Separator}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]/u
const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const timestampPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/
/**
 * The format that `shared/db/db.ts` returns, on days 1 to 28, which need no calendar check. Most checked values match.
 */
const returnedPattern =
  /^(19|[2-8]\d)\d\d-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
/** Names only: Postgres reads an offset such as +02:00 with the opposite sign. */
const timeZonePattern = /^[a-z_]+(\/[\w+-]+){0,2}$/i
const emailPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i

/** An existing day and a time, from 1900 to 9998: JavaScript and Postgres format only those years alike. */
function isInstant(text: string): boolean {
  if (returnedPattern.test(text)) return true
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

/** The id of a record of this service. Limited to the integers that a JSON number holds exactly. */
export const Id = Type.Integer({
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  rule: 'must be a positive whole number',
})

/**
 * An id of the platform. The API checks the namespace by the keyword `gid`, because it depends on the configuration.
 */
export function Gid(type: 'Product' | 'ProductVariant' | 'Location') {
  return Type.String({
    pattern: `^gid://[a-z]+/${type}/[1-9]\\d{0,19}$`,
    gid: type,
    rule: `must be an id of the platform, as in gid://<namespace>/${type}/123`,
  })
}

export const VariantGids = Type.String({
  pattern: '^gid://[a-z]+/ProductVariant/[1-9]\\d{0,19}(,gid://[a-z]+/ProductVariant/[1-9]\\d{0,19}){0,99}$',
  rule: 'must be at most 100 ids of variants, separated by commas',
})

/** An instant in UTC, ISO 8601. */
export const Timestamp = Type.String({
  format: 'date-time',
  rule: 'must be a date and time, as in 2026-03-01T12:00:00Z',
})

/** A day in the shop's time zone. */
export const Day = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  rule: 'must be a date, as in 2026-03-01',
})

/** A day of a request in the shop's time zone: one that exists. */
export const CalendarDay = Type.String({ format: 'day', rule: 'must be a date, as in 2026-03-01' })

/** A month of a request. */
export const CalendarMonth = Type.String({ format: 'month', rule: 'must be a month, as in 2026-03' })

/** A day, or an instant. */
const DayOrInstant = Type.String({
  format: 'day-or-instant',
  rule: 'must be a date or a date and time, as in 2026-03-01 or 2026-03-01T12:00:00Z',
})

/** The period of reports and of the stock ledger (`shared/domain/kit/date-range.ts`). */
export const dateFields = { startDate: Type.Optional(DayOrInstant), endDate: Type.Optional(DayOrInstant) }
export type DateRange = { startDate?: string; endDate?: string }

/**
 * Text on one line, without control characters and lone surrogates. With `minLength` of 1 or more it must have a
 * visible character. The API trims the texts of a request before it checks them.
 */
export const Text = (maxLength: number, minLength = 0) =>
  textType(minLength, maxLength, '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$', {
    rule: `must be ${minLength > 0 ? 'filled in and ' : ''}on one line, at most ${maxLength} characters, without control or broken characters`,
  })

/** Text on several lines. Of the control characters, only tab, CR and LF are allowed. */
export const LongText = (max: number, min = 0) =>
  textType(min, max, '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$', {
    rule: `must be ${min > 0 ? 'filled in and ' : ''}at most ${max} characters, without control or broken characters`,
  })

/** The OpenAPI document contains the pattern, so it uses only syntax that all regular expression dialects share. */
function textType(minLength: number, maxLength: number, pattern: string, { rule }: { rule: string }) {
  return Type.Unsafe<string>({ [Kind]: 'Text', type: 'string', minLength, maxLength, pattern, rule })
}

/** A list of a request; `items` names its items in the refusal. */
export const ListOf = <T extends TSchema>(item: T, minItems: number, maxItems: number, items: string) =>
  Type.Array(item, {
    ...(minItems > 0 && { minItems }),
    maxItems,
    rule: `must be a list of ${minItems > 0 ? `${minItems} to` : 'at most'} ${maxItems} ${items}`,
  })

/** A list of e-mail addresses; each is on one line, as every address is. */
export const EmailList = (minItems: number, maxItems: number) =>
  Type.Array(Type.String({ format: 'email', rule: 'must be an e-mail address on one line' }), {
    minItems,
    maxItems,
    rule: `must be a list of ${minItems > 0 ? `${minItems} to` : 'at most'} ${maxItems} e-mail addresses`,
  })

export const Email = Type.Union([Type.String({ format: 'email' }), Type.Literal('')], {
  rule: 'must be an e-mail address',
})

export const TimeZone = Type.String({
  format: 'time-zone',
  rule: 'must be the name of a time zone, as in Europe/Paris',
})

export const Locale = Type.String({ format: 'locale', rule: 'must be a language and a region, as in fr-FR' })

/** ISO 4217, and codes that only the platform has (`currency-codes.ts`). */
export const Currency = Type.String({
  format: 'currency',
  rule: 'must be the code of a currency, as in EUR',
})

/** ISO 3166-1, and XK. */
export const CountryCode = Type.String({
  format: 'country',
  rule: 'must be the code of a country, as in FR',
})

/** The tax of a line or a supplier, in percent. */
export const Percent = Type.Unsafe<number>({
  [Kind]: 'Decimal',
  type: 'number',
  decimals: 3,
  minimum: 0,
  maximum: 100,
  rule: 'must be a percentage from 0 to 100 with at most 3 decimals',
})

/** Money: a JSON number with at most this many decimals, never negative. SQL does all arithmetic. */
export const Money = (decimals: 2 | 3 | 4) =>
  Type.Unsafe<number>({
    [Kind]: 'Decimal',
    type: 'number',
    decimals,
    minimum: 0,
    maximum: 1_000_000_000,
    rule: `must be a number from 0 to 1 000 000 000 with at most ${decimals} decimals`,
  })

/** An exchange rate: 1 of a currency in the shop's. */
export const Rate = Type.Unsafe<number>({
  ...Money(4),
  decimals: 8,
  minimum: 0.000_000_01,
  maximum: 1_000_000,
  rule: 'must be a number above 0 and at most 1 000 000 with at most 8 decimals',
})

/** A whole number of a request. */
export const Whole = (minimum: number, maximum: number) =>
  Type.Integer({
    minimum,
    maximum,
    rule: `must be a whole number from ${grouped(minimum)} to ${grouped(maximum)}`,
  })

/** The digits in groups of three, as in 1 000 000. */
const grouped = (value: number) => value.toLocaleString('en').replaceAll(',', ' ')

/** A number of pieces to order or to move. */
export const Quantity = Whole(1, 1_000_000_000)

/** The version of a record that the caller has read; the columns are of the type `integer`. */
export const Version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  rule: 'must be the version that was read',
})

/** An amount of money in a response: exact to the cent. */
export const Amount = Type.Number()

/** Also allows `null`, which clears an optional field of a request. */
export const Nullable = <T extends TSchema>(schema: T) =>
  Type.Union([schema, Type.Null()], { rule: schema.rule })

/** One of a fixed list of values. */
export const choices = <T extends string>(...values: T[]) =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    { rule: `must be one of ${values.join(', ')}` },
  )

/** The cursor of a list that is sorted by two numbers. */
export const PairCursor = Type.String({
  pattern: '^(0|[1-9]\\d{0,15})-[1-9]\\d{0,14}$',
  rule: 'must come from the Link header of a page',
})

/** A readonly array, the type that queries return. */
export const List = <T extends TSchema>(item: T) => Type.Unsafe<readonly Static<T>[]>(Type.Array(item))

/** The fields of a request; others are refused. */
export const Strict = <T extends TProperties>(fields: T, options?: { rule: string }) =>
  Type.Object(fields, { ...options, additionalProperties: false })

/** The body of a successful response (specification, "Resources and their fields"). */
export const Ok = <T extends TSchema>(data: T) => Type.Object({ success: Type.Literal(true), data })

/** The size of a list, in the answer to a request with `count=true`. */
export const ListMeta = Type.Object({
  total: Type.Integer({ description: 'Records of the list; counting stops at 10000' }),
  isExact: Type.Boolean({ description: 'False: the list has more records than `total`' }),
})
export type ListMeta = Static<typeof ListMeta>

/** As `Ok`, of a list that can be counted. */
export const OkCounted = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data, meta: Type.Optional(ListMeta) })

/** The body of an error response. */
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
          purchaseOrderId: Type.Optional(Type.Integer({ description: 'The order that expects the goods' })),
          poNumber: Type.Optional(Type.String()),
          lineItemId: Type.Optional(Type.Integer()),
          outstanding: Type.Optional(
            Type.Integer({ description: 'Pieces of the line that can still be received' }),
          ),
        }),
      ),
    ),
    requestId: Type.String(),
  }),
})
export type Failure = Static<typeof Failure>

export const IdParam = Strict({ id: Id })

/** Keyset pagination, newest first. `cursor` comes from the `Link` header of the previous page. */
export const pageFields = {
  limit: Type.Optional(Whole(1, 250)),
  cursor: Type.Optional(Id),
}

/** `count=true` on the first page of a list adds `meta` with its size. */
export const countField = {
  count: Type.Optional(Type.Boolean({ rule: 'must be true or false' })),
}

/** The cursor of a list that has several sorts; an id in the order of ids. */
export const SortCursor = Type.String({
  pattern: '^([1-9]\\d{0,14}|-?[a-zA-Z]{1,20}\\.[a-zA-Z0-9_-]{4,4000})$',
  rule: 'must come from the Link header of a page',
})

/** Names of sorts: these, each also in descending order with a minus, beside `newest` and `oldest`. */
export const sortsBy = <T extends string>(...names: T[]) =>
  choices<'newest' | 'oldest' | T | `-${T}`>(
    'newest',
    'oldest',
    ...names.flatMap((name) => [name, `-${name}` as const]),
  )

/** The sort, the page and the count of a list that has several sorts. */
export const sortedFields = <T extends TSchema>(sort: T) => ({
  sort: Type.Optional(sort),
  limit: pageFields.limit,
  cursor: Type.Optional(SortCursor),
  ...countField,
})

/** The page of a list that is sorted by two numbers. */
export const pairFields = { limit: pageFields.limit, cursor: Type.Optional(PairCursor) }

/** The filter `ids` of a list, such as the rows that the merchant selected for a CSV. `records` names them in the refusal. */
export const idsField = (records: string) => ({
  ids: Type.Optional(
    Type.String({
      pattern: '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,249}$',
      rule: `must be 1 to 250 ids of ${records} with commas between them`,
    }),
  ),
})

export const PageQuery = Strict(pageFields)
export type PageQuery = Static<typeof PageQuery>

export const Message = Type.Object({ message: Type.String() })

export const fileContentRule = 'must be filled in with the bytes in base64, without line breaks'
export const FileContent = Type.String({ contentEncoding: 'base64', minLength: 1, rule: fileContentRule })
