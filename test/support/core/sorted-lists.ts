import type { Test } from 'tap'
import { planOf, recordStatements } from '../../../dev/postgres/statements.ts'
import type { DatabasePool, Db } from '../../../shared/db/db.ts'
import { type Person, readPages } from './people.ts'

type Listed = { id: number }

type Sorts<T> = {
  /** By the name of the sort: the place of a record. Of one place, the newest comes first in both directions. */
  ranks: Record<string, (record: T) => number>
  /** The sizes of pages. */
  limits: readonly number[]
  /** Parts of the address, each with the records that it lists. */
  filters: readonly (readonly [string, (record: T) => boolean])[]
}

/** Checks that `newest`, `oldest` and each sort of `ranks`, in both directions, list each record of `list` once and in order. */
export async function expectSorts<T extends Listed>(
  t: Test,
  person: Person,
  list: string,
  { ranks, limits, filters }: Sorts<T>,
): Promise<void> {
  const all: T[] = (await person.get(list)).json().data
  const sorts: Record<string, (a: T, b: T) => number> = {
    newest: (a, b) => b.id - a.id,
    oldest: (a, b) => a.id - b.id,
  }
  for (const [name, rank] of Object.entries(ranks)) {
    sorts[name] = (a, b) => rank(a) - rank(b) || b.id - a.id
    sorts[`-${name}`] = (a, b) => rank(b) - rank(a) || b.id - a.id
  }
  const idsOf = (records: readonly T[]) => records.map(({ id }) => id)
  for (const [sort, compare] of Object.entries(sorts)) {
    const expected = all.toSorted(compare)
    for (const limit of limits) {
      const pages = await readPages(person, `${list}?sort=${sort}&limit=${limit}`)
      t.strictSame(pages.flat(), idsOf(expected), `sort=${sort} in pages of ${limit}`)
    }
    for (const [filter, isListed] of filters) {
      const pages = await readPages(person, `${list}?sort=${sort}&limit=2&${filter}`)
      t.strictSame(pages.flat(), idsOf(expected.filter(isListed)), `sort=${sort}&${filter}`)
    }
  }
}

/** Reads the cursor of the second page. */
export async function readCursor(person: Person, address: string): Promise<string> {
  const { headers } = await person.get(address)
  const [, cursor = ''] = /cursor=([^&>]+)/.exec(String(headers.link)) ?? []
  return cursor
}

type PageQuery<S> = { sort: S; limit: number; cursor?: string }

/** Checks that Postgres reads these indexes for the first and the next page of each sort. */
export async function expectIndexes<S extends string>(
  t: Test,
  db: DatabasePool,
  sorts: readonly (readonly [S, ...string[]])[],
  read: (db: Db, query: PageQuery<S>) => Promise<{ next: string | number | null }>,
): Promise<void> {
  const { db: recorded, statements } = recordStatements(db)
  for (const [sort, ...indexes] of sorts) {
    const { next } = await read(recorded, { sort, limit: 50 })
    await read(recorded, { sort, limit: 50, cursor: String(next) })
    for (const statement of statements.splice(0)) {
      const plan = await planOf(db, statement)
      for (const index of indexes) t.match(plan, new RegExp(`Index .*using ${index}\\b`), `${sort}: ${plan}`)
    }
  }
}
