import type { Test } from 'tap'
import { expectFailure } from './app.ts'
import { type Person, readPages } from './people.ts'

/** The search of a list, such as `/api/stock-transfers`: the ids that it finds, in the order of the list. */
export const searchOf =
  (list: string) =>
  async (person: Person, search: string, filter = ''): Promise<number[]> =>
    (await readPages(person, addressOf(list, search, filter))).flat()

/** Checks that pages of one record keep the search, and that the row count is the one of the search. */
export async function expectPaged(
  t: Test,
  person: Person,
  { list, search, expected }: { list: string; search: string; expected: readonly number[] },
): Promise<void> {
  const pages = await readPages(person, addressOf(list, search, '&limit=1'))
  t.strictSame(
    pages,
    expected.map((id) => [id]),
    'pages keep the search',
  )
  const { meta } = (await person.get(addressOf(list, search, '&limit=1&count=true'))).json()
  t.strictSame(meta, { total: expected.length, isExact: true }, 'the row count is that of the search')
}

/** Checks that a search of 200 characters is accepted, and that a longer or broken one is refused with the name of its field. */
export async function expectLimits(t: Test, person: Person, list: string): Promise<void> {
  t.equal((await person.get(addressOf(list, 'x'.repeat(200)))).statusCode, 200)
  for (const search of ['x'.repeat(201), 'two\nlines']) {
    const { details } = expectFailure(t, await person.get(addressOf(list, search)), 400, 'invalid_request')
    t.match(details, [{ path: '/search', message: /at most 200 characters/ }])
  }
}

const addressOf = (list: string, search: string, filter = '') =>
  `${list}?search=${encodeURIComponent(search)}${filter}`
