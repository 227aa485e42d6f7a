import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Endpoint, endpoints } from '../../../shared/schemas/endpoints.ts'
import { ListName } from '../../../shared/schemas/list-views.ts'
import { startApp } from '../../support/core/app.ts'
import { lists } from '../../support/web/lists.ts'

const pages = fileURLToPath(new URL('../../../web/src/pages/', import.meta.url))
const table: Record<string, Endpoint> = endpoints

/** What the labels of a sort in both directions end with, the ascending one first. */
const directions = [
  ['A to Z', 'Z to A'],
  ['lowest first', 'highest first'],
  ['lowest number first', 'highest number first'],
  ['earliest first', 'latest first'],
  ['Oldest first', 'Newest first'],
  ['drafts first', 'cancelled first'],
  ['drafts first', 'reversed first'],
  ['planned first', 'ended first'],
  ['open first', 'ended first'],
]

const queryOf = (params: object) => new URLSearchParams(Object.entries(params)).toString()

t.test('the table has each list of the admin once', async (t) => {
  const sources = globSync('**/*.tsx', { cwd: pages }).map((file) => readFileSync(pages + file, 'utf8'))
  const names = sources.flatMap((source) =>
    [...source.matchAll(/\b(?:list="|report\(\{\s+path: '\/reports\/)([a-z-]+)/g)].map(([, name]) => name),
  )
  const inTable = lists.map(({ list }) => list).sort()
  t.strictSame(inTable, [...new Set(names)].sort())
  t.strictSame(inTable, ListName.anyOf.map(({ const: name }) => name).sort(), 'each has saved views')
})

t.test('the API accepts every filter and sort of a list, also for its file', async (t) => {
  const { alice } = await startApp(t)
  for (const { list, path, read, filter, sorts = [] } of lists) {
    t.strictSame(read({ ...filter, other: 1 }), filter, `${list} reads its address`)
    const asked = [
      filter,
      ...sorts.map(({ value }) => ({ sort: value })).filter(({ sort }) => sort !== 'newest'),
    ]
    for (const params of asked) {
      t.strictSame(read({ ...params }), params, `${list} keeps ${queryOf(params)}`)
      const { statusCode, body } = await alice.get(`/api${path}?${queryOf(params)}`)
      t.equal(statusCode, 200, `${list}?${queryOf(params)} ${statusCode === 200 ? '' : body}`)
    }
    const { statusCode } = await alice.get(`/api${path}?${queryOf({ ...filter, nonsense: 1 })}`)
    t.equal(statusCode, 400, `${list} refuses what it does not know`)
    if (!table[`GET ${path}`]?.csv) continue
    const file = await alice.get(`/api${path}?${queryOf(filter)}`, { accept: 'text/csv' })
    t.equal(file.statusCode, 200, `the file of ${list}`)
  }
})

t.test('the words of a sort name its direction', async (t) => {
  for (const { list, sorts = [] } of lists) {
    const labelOf = (sort: string) => sorts.find(({ value }) => value === sort)?.label ?? ''
    t.equal(sorts[0]?.value ?? 'newest', 'newest', `${list} begins with the newest`)
    for (const { value } of sorts) {
      if (!sorts.some((other) => other.value === `-${value}`)) continue
      const [up, down] = [labelOf(value), labelOf(`-${value}`)]
      const isPair = directions.some(
        ([first = '', last = '']) =>
          up.endsWith(first) &&
          down.endsWith(last) &&
          up.slice(0, -first.length) === down.slice(0, -last.length),
      )
      t.ok(isPair, `${list}: ${up}, ${down}`)
    }
  }
})

t.test('a click on the head of a column sorts in both directions of one sort', async (t) => {
  for (const { list, columns, sorts = [] } of lists) {
    if (!columns) continue
    const source = readFileSync(pages + columns, 'utf8')
    const heads = [...source.matchAll(/\bsorts: \['([^']+)', '([^']+)'\]/g)]
    t.ok(heads.length > 0, `${list} has columns that sort`)
    for (const [, first = '', second = ''] of heads) {
      for (const sort of [first, second])
        t.ok(
          sorts.some(({ value }) => value === sort),
          `${list}: ${sort}`,
        )
      const nameOf = (sort: string) => sort.replace(/^-/, '').replace('oldest', 'newest')
      t.not(first, second)
      t.equal(nameOf(first), nameOf(second), `${list}: ${first} and ${second}`)
    }
  }
})
