import t, { type Test } from 'tap'
import { expectFailure, startApp } from '../../support/core/app.ts'
import {
  addressOf,
  canAccept,
  type Endpoint,
  type Field,
  fieldsOf,
  listEndpoints,
  makeFieldValues,
  makeRecordOf,
  readAddressOf,
  sample,
  withField,
} from '../../support/core/endpoints.ts'
import { type Person, readPages } from '../../support/core/people.ts'
import { createTurns } from '../../support/core/turns.ts'
import { isFull } from '../../support/faults/faults.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeStock } from '../../support/make/stock.ts'

/** One body field of one endpoint; `pointer` is its JSON pointer. */
type Trial = { endpoint: Endpoint; field: Field; pointer: string; name: string }

/** Starts the API and lists every field of every request body. */
async function start(t: Test) {
  const people = await startApp(t)
  const endpoints = await listEndpoints(people.app)
  const trials = endpoints.flatMap((endpoint) =>
    (endpoint.body ? fieldsOf(endpoint.body) : []).map((field): Trial => {
      const pointer = field.path.map((part) => `/${part}`).join('')
      return { endpoint, field, pointer, name: `${endpoint.name} ${pointer}` }
    }),
  )
  t.ok(trials.length >= 40, 'the API has fields to try')
  return { ...people, trials, endpoints }
}

/** A body that is valid except for this field; `value` is JSON text. */
function bodyWith({ endpoint, field }: Trial, value: string): string {
  const mark = 'the-value-goes-here'
  const body = withField(endpoint.body && sample(endpoint.body), field.path, mark)
  return JSON.stringify(body).replace(`"${mark}"`, () => value)
}

/**
 * Returns a function that chooses the values for a field: one, in turn. `npm run test:faults` tries all for the first field of a
 * schema, and one for each later field with the same schema, which the same code checks.
 */
function chooseValues() {
  if (!isFull) {
    const choose = createTurns()
    return <T>(_trial: Trial, values: readonly T[]) => choose(values)
  }
  const counts = new Map<string, number>()
  return <T>({ field }: Trial, values: readonly T[]): readonly T[] => {
    const key = JSON.stringify([field.schema, values])
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    return count === 0 ? values : values.slice((count - 1) % values.length).slice(0, 1)
  }
}

const write = (person: Person, { endpoint }: Trial, body: string, ids: number[] = []) =>
  person.send(endpoint.method, addressOf(endpoint, ids), body, { 'content-type': 'application/json' })

t.test('the API refuses a value of the wrong type and names its field', async (t) => {
  const { alice, trials } = await start(t)
  const choose = chooseValues()
  for (const trial of trials) {
    const wrong = ['words', '1', '', 0.5, 7, true, false, null, [], [1], {}, { a: 1 }].filter(
      (value) => !canAccept(trial.field.schema, value),
    )
    for (const value of choose(trial, wrong)) {
      const json = JSON.stringify(value)
      const answer = await write(alice, trial, bodyWith(trial, json))
      const { details } = expectFailure(t, answer, 400, 'invalid_request', `${trial.name} = ${json}`)
      t.ok(details?.length, `${trial.name} = ${json} is explained`)
      for (const { path, message } of details ?? []) {
        t.ok(path.startsWith(trial.pointer), `${trial.name} = ${json} blames ${path}`)
        t.match(message, /^(must be|is) /, `${trial.name} = ${json}`)
      }
    }
  }
})

t.test('the API names a missing required field', async (t) => {
  const { alice, trials } = await start(t)
  const required = trials.filter(({ field }) => field.isRequired)
  t.ok(required.length >= 7)
  for (const trial of required) {
    const body = withField(sample(trial.endpoint.body ?? {}), trial.field.path, undefined)
    const answer = await write(alice, trial, JSON.stringify(body))
    const { details } = expectFailure(t, answer, 400, 'invalid_request', trial.name)
    t.strictSame(details, [{ path: trial.pointer, message: 'is required' }], trial.name)
  }
})

/** Escapes a text so that it can be part of a test hint, which is one line. */
const inAscii = (text: string) =>
  text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** C0 and C1 control characters, Unicode line breaks and unpaired surrogates. */
const unfit = [
  ...['\u0000', '\u0008', '\u000b', '\u000c', '\u001b', '\u007f', '\u0080', '\u0085', '\u009b', '\u009f'],
  ...['\u2028', '\u2029', '\ud800', '\udfff', '\udc00\ud800'],
]

t.test('the API refuses a text of a million characters and a text with control characters', async (t) => {
  const { alice, trials } = await start(t)
  const choose = chooseValues()
  for (const trial of trials.filter(({ field }) => canAccept(field.schema, 'words'))) {
    const isFile = trial.pointer === '/content'
    const texts = [
      // of a file, a million characters are not too many
      ...(isFile ? [] : ['x'.repeat(1_000_000)]),
      '\u0000',
      '\ud83d',
      ...unfit.map((character) => `a${character}b`),
    ]
    for (const text of choose(trial, texts)) {
      const answer = await write(alice, trial, bodyWith(trial, JSON.stringify(text)))
      const hint = `${trial.name} = ${inAscii(text.slice(0, 5))}`
      const { details } = expectFailure(t, answer, 400, 'invalid_request', hint)
      t.strictSame(
        details?.map(({ path }) => path),
        [trial.pointer],
        hint,
      )
    }
  }
})

t.test('the API refuses a required text without a visible character', async (t) => {
  const { alice, trials } = await start(t)
  const needed = trials.filter(({ field }) => field.schema.minLength)
  t.ok(needed.length >= 6)
  const invisible = [
    '',
    ' ',
    '\u00a0\u3000',
    '\u200b',
    '\u00ad',
    '\u200e\u202e',
    '\ufe0f',
    '\u3164',
    '\u2800\u2800',
  ]
  const choose = chooseValues()
  for (const trial of needed) {
    for (const text of choose(trial, [...invisible, '\u{e0041}', '\u200b \u200b'])) {
      const answer = await write(alice, trial, bodyWith(trial, JSON.stringify(text)))
      const hint = `${trial.name} = ${inAscii(text)}`
      const { details } = expectFailure(t, answer, 400, 'invalid_request', hint)
      t.match(details, [{ path: trial.pointer, message: /^must be filled in/ }], hint)
    }
  }
})

t.test('the API stores a text in any script unchanged', async (t) => {
  const { alice } = await startApp(t)
  const names = [
    'Ł',
    '7',
    '-',
    '青瓷',
    'می\u200cخواهم',
    'e\u0301',
    '👩\u200d🌾',
    '\u{20bb7}野家',
    'a\u00a0b',
    '\u200fשלום',
  ]
  for (const name of names) {
    const id = await makeSupplier(alice, { name, notes: `${name}\n\t${name}\r\n${name}` })
    const { data } = (await alice.get(`/api/suppliers/${id}`)).json()
    t.match(data, { name, notes: `${name}\n\t${name}\r\n${name}` })
  }
})

/** Valid JSON numbers outside the range or precision of every field. */
const unfitNumbers = [
  '1e400',
  '-1e400',
  '1e308',
  '9223372036854775808',
  '-1',
  '0.00001',
  `1${'0'.repeat(400)}`,
]

/** A field that may be null has its minimum in a member of the union. */
const minimumOf = ({ minimum, anyOf = [] }: Field['schema']): number =>
  minimum ?? Math.min(0, ...anyOf.map((member) => member.minimum ?? 0))

t.test('the API refuses a number out of range', async (t) => {
  const { alice, trials } = await start(t)
  const choose = chooseValues()
  for (const trial of trials.filter(({ field }) => canAccept(field.schema, 7))) {
    const unfit = unfitNumbers.filter((number) => {
      if (trial.pointer === '/version') return /^-|\./.test(number) // any large version is valid
      if (trial.pointer === '/rate' && number === '0.00001') return false // a rate has 8 decimals
      return number !== '-1' || minimumOf(trial.field.schema) >= 0
    })
    for (const number of choose(trial, unfit)) {
      const answer = await write(alice, trial, bodyWith(trial, number))
      const hint = `${trial.name} = ${number.slice(0, 20)}`
      const { details } = expectFailure(t, answer, 400, 'invalid_request', hint)
      t.strictSame(
        details?.map(({ path }) => path),
        [trial.pointer],
        hint,
      )
    }
  }
})

/** Deeper than Node's stack. */
const depth = 40_000

t.test('the API refuses deep nesting', async (t) => {
  const { alice, trials } = await start(t)
  const choose = chooseValues()
  for (const trial of trials) {
    for (const [open, close] of choose(trial, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)) {
      const deep = `${open.repeat(depth)}1${close.repeat(depth)}`
      const answer = await write(alice, trial, bodyWith(trial, deep))
      expectFailure(t, answer, 400, 'invalid_request', `${trial.name} = ${open}…`)
    }
  }
})

const odd = ['-0', '1e2', '1E+2', '0.1', '100000000000000000001', '1.0', '"\\ud800"', '"\\udc00x"', '" x "']
const oddTexts = [
  '"\\u2028"',
  '"\\ufeff"',
  '"<script>"',
  '"=1+1"',
  '"%s"',
  '"{}"',
  '"\\\\"',
  '"\'; --"',
  '"e\u0301"',
]
const dates = [
  '0000-01-01',
  '0001-01-01',
  '1899-12-31',
  '2026-02-30',
  '2025-02-29',
  '2026-13-01',
  '9999-12-31',
]
const months = ['0000-03', '0050-02', '1899-12', '2026-13', '9999-01']
const instants = [
  ...dates.map((day) => `"${day}T00:00:00Z"`),
  ...months.map((month) => `"${month}"`),
  '"2026-01-01T24:00:00Z"',
  '"2026-01-01T23:59:60Z"',
  '"2026-01-01T00:00:00+23:00"',
  '"2026-01-01T00:00:00-99:99"',
  '"2026-01-01T00:00:00.1234567Z"',
  '"0001-01-01T00:00:00+10:00"',
  '"9999-12-31T23:59:59-14:00"',
]

/** The value with the ids of the person's records in the fields that refer to records. */
const withIds = (names: Record<string, unknown>, value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (field, original: unknown) => names[field] ?? original)

/**
 * A body that is valid except for this field and refers to the person's records. The body of an update has only its
 * required fields and this one.
 */
function validBodyWith(
  { endpoint: { method, body }, field }: Trial,
  value: string,
  names: Record<string, unknown>,
): string {
  const fields = Object.entries({ ...(body && (sample(body) as object)) })
  const whole = Object.fromEntries(
    fields.filter(([name]) => method === 'POST' || body?.required?.includes(name)),
  )
  const mark = 'the-value-goes-here'
  return JSON.stringify(withField(withIds(names, whole), field.path, mark)).replace(`"${mark}"`, () => value)
}

t.test('the API stores or refuses any value of a field, and its records stay readable', async (t) => {
  const { db, alice, trials, endpoints } = await start(t)
  await makeStock(db, alice, { variants: 2, locations: 2 })
  /** What the first field of a name and schema refused; the same code refuses it in the bodies of other endpoints. */
  const refused = new Map<string, Set<string>>()
  const choose = chooseValues()
  const values = [...odd, ...oddTexts, ...instants]
  for (const trial of trials) {
    const { endpoint, field, name } = trial
    const ids = await makeRecordOf(endpoint, alice, db)
    const names = await makeFieldValues(endpoint, alice, ids)
    const good = JSON.stringify(names[String(field.path.at(-1))] ?? withIds(names, sample(field.schema)))
    const accepted = await write(alice, trial, validBodyWith(trial, good, names), ids)
    const isStandalone = endpoint.method === 'POST' || (field.path.length === 1 && !field.schema.items)
    if (isStandalone) t.ok(accepted.statusCode < 300, `${name} = ${good}`)

    const key = JSON.stringify([field.path.at(-1), field.schema])
    const refusedBefore = refused.get(key)
    const refusedNow = new Set<string>()
    refused.set(key, refusedBefore ?? refusedNow)
    for (const value of isFull ? values : choose(trial, values)) {
      if (refusedBefore?.has(value)) continue
      // a merge that succeeds deletes the supplier of the path
      const record = endpoint.path.endsWith('/merge') ? await makeRecordOf(endpoint, alice, db) : ids
      const answer = await write(alice, trial, validBodyWith(trial, value, names), record)
      const { statusCode, body } = answer
      t.ok([200, 201, 400, 409, 422].includes(statusCode), `${name} = ${value}: ${body}`)
      if (statusCode === 400) refusedNow.add(value)
      if (statusCode >= 400) expectFailure(t, answer, statusCode, answer.json().error.code)
    }
    const own = endpoint.path.endsWith('/merge') ? undefined : readAddressOf(endpoint, ids, endpoints)
    if (own) t.equal((await alice.get(own)).statusCode, 200, `${own} after ${name}`)
  }
  for (const list of ['/api/suppliers', '/api/purchase-orders']) {
    const pages = await readPages(alice, `${list}?limit=100`)
    t.ok(pages.flat().length > 100, `${list} answers all records`)
  }
})
