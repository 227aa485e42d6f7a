import fc, { type Arbitrary } from 'fast-check'
import { addressOf, type Endpoint, type JsonSchema } from '../../support/core/endpoints.ts'

export type FuzzRequest = {
  method: string
  url: string
  headers: Record<string, string>
  payload: string | Buffer | undefined
}

const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

/** JSON that no schema expects, canSlip of which JavaScript could not produce. */
const unexpected = fc.oneof(
  fc.json({ depthSize: 'small' }),
  fc.constantFrom(
    ...['null', 'true', '-0', '1e400', '-1', '0.1', '9007199254740993', '1e21', '[]', '{}', '""', '[[]]'],
    ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"toString":1,"length":-1}'],
    ...['"\\u0000"', '"\\ud800"', '"\\u202e\\u2028"', '"%00%0d%0a"', '"<%= 7*7 %>{{7*7}}"', '"\' or 1=1 --"'],
    `"${'x'.repeat(5_000)}"`,
    `"${'😀'.repeat(2_000)}"`,
    deep('[', ']', 3_000),
    deep('{"a":', '}', 3_000),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc
    .double()
    .map(String)
    .filter((text) => !/N|I/.test(text)),
)

/** JSON that matches the schema, except that `slipPercent` percent of its values are unexpected. */
function jsonOf(schema: JsonSchema, slipPercent: number): Arbitrary<string> {
  const {
    type,
    enum: values,
    const: constant,
    anyOf,
    properties = {},
    required = [],
    items,
    minimum = 0,
  } = schema
  const valid = (): Arbitrary<string> => {
    if (anyOf?.length) return fc.oneof(...anyOf.map((option) => jsonOf(option, slipPercent)))
    if (constant !== undefined) return fc.constant(JSON.stringify(constant))
    if (values?.length) return fc.constantFrom(...values.map((value) => JSON.stringify(value)))
    if (type === 'array' && items) {
      return fc.array(jsonOf(items, slipPercent), { maxLength: 3 }).map((parts) => `[${parts.join()}]`)
    }
    if (type === 'object') return objectOf(properties, required, slipPercent)
    if (type === 'boolean') return fc.boolean().map(String)
    if (type === 'null') return fc.constant('null')
    if (type === 'integer') return fc.integer({ min: minimum, max: minimum + 30 }).map(String)
    if (type === 'number') return fc.integer({ min: 0, max: 9_999 }).map((cents) => String(cents / 100))
    return textOf(schema).map((text) => JSON.stringify(text))
  }
  return fc.oneof(
    { weight: 100 - slipPercent, arbitrary: valid() },
    { weight: slipPercent, arbitrary: unexpected },
  )
}

function objectOf(
  properties: Record<string, JsonSchema>,
  required: string[],
  slipPercent: number,
): Arbitrary<string> {
  const fields = Object.entries(properties).map(([name, schema]) =>
    fc
      .tuple(jsonOf(schema, slipPercent), fc.integer({ min: 0, max: 99 }))
      .map(([value, chance]) =>
        chance < (required.includes(name) ? slipPercent : 50) ? '' : `${JSON.stringify(name)}:${value}`,
      ),
  )
  const extra = fc.oneof(
    { weight: 100 - slipPercent, arbitrary: fc.constant('') },
    {
      weight: slipPercent,
      arbitrary: fc.constantFrom('"surprise":1', '"shopId":2', '"status":"received"', '"id":1'),
    },
  )
  return fc.tuple(...fields, extra).map((parts) => `{${parts.filter(Boolean).join()}}`)
}

function textOf({ format, pattern }: JsonSchema): Arbitrary<string> {
  const [, gid] = /^\^gid:\/\/[^/]+\/(\w+)\//.exec(pattern ?? '') ?? []
  if (gid) return fc.integer({ min: 1, max: 4 }).map((number) => `gid://platform/${gid}/${number}`)
  if (format === 'email')
    return fc.constantFrom('a@b.example', 'a@b', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d')
  if (format?.includes('instant') || format?.includes('date') || pattern?.includes('\\d{4}')) {
    return fc.constantFrom('2026-03-01', '2026-03-01T12:00:00Z', '2026-02-30', '0000-00-00T00:00:00Z', 'now')
  }
  if (pattern?.includes('-[1-9]')) return fc.constantFrom('1-1', '0-1', '9999999999999999-1', '1-0')
  return fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom('Acme', 'SKU-1', '=1+1', '%', '_', "'", 'sku,reorderPoint\n'),
  )
}

/** Damages one body in 21. */
const damage = (body: string): Arbitrary<string | Buffer> =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(body) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[body.slice(0, -1), `${body}${body}`, `\ufeff${body}`, `${body},`, `//\n${body}`, '', 'undefined'],
        ...[
          body.replace('{', '{"name":1,"name":2,'),
          Buffer.from(body, 'utf16le'),
          Buffer.from([0xff, 0xfe, 0x7b]),
        ],
      ),
    },
  )

const types = [
  ...[
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json;charset=utf-16',
    'application/json\t',
  ],
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    ';',
    '',
    'application/',
  ],
  ...['application/json, text/plain', ' application/json', 'application/json;a="\\', 'application/jsonx'],
]
const oddHeaders: [string, string][] = [
  ['accept', ';;q=x'],
  ['accept', 'text/csv'],
  ['accept', '*/*;q=0'],
  ['accept-encoding', 'br;q=9'],
  ['idempotency-key', 'again'],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(300)],
  ['if-none-match', '"'],
  ['range', 'bytes=-1-0'],
  ['cookie', '=;__proto__=1'],
  ['x-request-id', '../../x'],
  ['x-forwarded-for', ',,,'],
  ['x-http-method-override', 'DELETE'],
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
]

const sometimes = <T>(weight: number, odd: Arbitrary<T>, usual: Arbitrary<T>) =>
  fc.oneof({ weight: 100 - weight, arbitrary: usual }, { weight, arbitrary: odd })

const oddId = fc.constantFrom(
  ...[
    '0',
    '-1',
    '1e3',
    '9007199254740993',
    '%00',
    '%',
    '%2e%2e%2f',
    'null',
    '__proto__',
    '%ff',
    '١',
    'x'.repeat(500),
  ],
)
const someId = fc.integer({ min: 1, max: 40 }).map(String)
const otherMethods = fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE')

/** Requests to an endpoint. Most are nearly valid, so that they get past validation. */
export function requestsTo(endpoint: Endpoint): Arbitrary<FuzzRequest> {
  const { method, pathParameters, queryParameters, body } = endpoint
  const ids = fc.tuple(...pathParameters.map(() => sometimes(10, oddId, someId)))
  const query = fc.tuple(
    ...queryParameters.map(({ name, schema }) =>
      sometimes(30, jsonOf(schema, 20), fc.constant('')).map((json) => {
        const value = json.startsWith('"') ? json.slice(1, -1) : json
        return json && `${name}=${encodeURIComponent(value.toWellFormed())}`
      }),
    ),
    sometimes(
      5,
      fc.constantFrom('x=1', '%', '__proto__[a]=1', 'constructor.prototype=1', 'limit=1&limit=2', '='),
      fc.constant(''),
    ),
  )
  const own = body
    ? fc.integer({ min: 0, max: 1 }).chain((canSlip) => jsonOf(body, canSlip * 12).chain(damage))
    : sometimes(10, unexpected, fc.constant(''))
  const headers = sometimes<string[][]>(
    20,
    fc
      .tuple(fc.constantFrom(...types), fc.constantFrom(...oddHeaders))
      .map(([type, odd]) => [['content-type', type], odd]),
    fc.constant([['content-type', 'application/json'] as string[]]),
  )
  return fc
    .tuple(sometimes(4, otherMethods, fc.constant(method as string)), ids, query, own, headers)
    .map(([requestMethod, path, parameters, payload, extra]) => {
      const search = parameters.filter(Boolean).join('&')
      return {
        method: requestMethod,
        url: addressOf(endpoint, path, search),
        headers: Object.fromEntries(payload === '' ? extra.slice(1) : extra),
        payload: payload === '' ? undefined : payload,
      }
    })
}
