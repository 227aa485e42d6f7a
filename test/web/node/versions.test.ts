import t from 'tap'
import { ApiError } from '../../../web/src/api/api-error.ts'
import {
  draftState,
  firstVersions,
  isStale,
  type Theirs,
  type TheirsEvent,
  theirsReducer,
  type VersionEvent,
  versionReducer,
} from '../../../web/src/components/forms/versions.ts'

type Supplier = { version: number; city: string }
type Draft = { city: string }

const away = new ApiError(0, { code: 'no_connection' })
const first: Supplier = { version: 2, city: 'Lyon' }
const second: Supplier = { version: 3, city: 'Nice' }

t.test('a form reads what another user saved, and keeps it until the user decides', async (t) => {
  const states: Record<string, Theirs<Supplier>> = {
    none: { state: 'none' },
    reading: { state: 'reading', theirs: null },
    theirs: { state: 'theirs', theirs: first },
    unread: { state: 'unread', error: away },
  }
  const events: Record<string, TheirsEvent<Supplier>> = {
    stale: { type: 'stale' },
    refused: { type: 'refused' },
    read: { type: 'read', theirs: second },
    unreadable: { type: 'unreadable', error: away },
    cleared: { type: 'cleared' },
  }
  const next = Object.fromEntries(
    Object.entries(states).map(([name, now]) => [
      name,
      Object.values(events).map((event) => theirsReducer(now, event).state),
    ]),
  )
  t.strictSame(next, {
    none: ['reading', 'none', 'theirs', 'unread', 'none'],
    reading: ['reading', 'reading', 'theirs', 'unread', 'none'],
    theirs: ['reading', 'theirs', 'theirs', 'unread', 'none'],
    unread: ['reading', 'none', 'theirs', 'unread', 'none'],
  })
})

t.test('a form shows the differences so far while it reads newer ones', async (t) => {
  const now = theirsReducer<Supplier>({ state: 'theirs', theirs: first }, { type: 'stale' })
  t.strictSame(now, { state: 'reading', theirs: first })
  t.strictSame(theirsReducer(now, { type: 'read', theirs: second }), { state: 'theirs', theirs: second })
})

t.test('changes that could not be read do not ask the user to reload the page', async (t) => {
  const refusal = new ApiError(409, { code: 'stale_version', message: 'Reload the supplier.' })
  t.ok(isStale(refusal))
  t.notOk(isStale(away))
  const now = theirsReducer<Supplier>(
    { state: 'reading', theirs: first },
    { type: 'unreadable', error: away },
  )
  if (now.state !== 'unread') return t.fail(`the state is ${now.state}`)
  t.match(now.error, { status: 0, code: 'no_connection', message: /Your changes are not lost/ })
})

t.test('a draft follows the stored record until the user changes it', async (t) => {
  const comparison = {
    draftOf: ({ city }: Supplier): Draft => ({ city }),
    isSame: (one: Draft, other: Draft) => one.city.trim() === other.city.trim(),
  }
  const reduce = versionReducer(comparison)
  const after = (...events: VersionEvent<Supplier, Draft>[]) => {
    const now = events.reduce(reduce, firstVersions(first, comparison))
    return [draftState(now, comparison), now.draft.city, now.base.version]
  }
  const type = (city: string): VersionEvent<Supplier, Draft> => ({ type: 'typed', change: { city } })
  const refetch: VersionEvent<Supplier, Draft> = { type: 'refetched', stored: second }
  const send = (city: string): VersionEvent<Supplier, Draft> => ({ type: 'sent', draft: { city } })
  const save = (city: string): VersionEvent<Supplier, Draft> => ({
    type: 'saved',
    answer: { version: 3, city },
  })

  t.strictSame(after(), ['clean', 'Lyon', 2])
  t.strictSame(after(refetch), ['clean', 'Nice', 3], 'a refetch replaces an older record')
  t.strictSame(after(type('Paris')), ['changed', 'Paris', 2])
  t.strictSame(after(type('Paris'), type('Lyon ')), ['clean', 'Lyon ', 2], 'the user typed it back')
  t.strictSame(after(type('Paris'), refetch), ['changed', 'Paris', 2], 'a refetch replaces no change')
  const append: VersionEvent<Supplier, Draft> = {
    type: 'typed',
    change: ({ city }) => ({ city: `${city} 2` }),
  }
  t.strictSame(after(append, append), ['changed', 'Lyon 2 2', 2], 'each change has the one before')

  t.strictSame(after(type('Paris'), send('Paris'), save('Paris')), ['clean', 'Paris', 3])
  t.strictSame(
    after(type('paris'), send('paris'), save('Paris')),
    ['clean', 'paris', 3],
    'the API answers in another form',
  )
  t.strictSame(
    after(type('Paris'), send('Paris'), type('Paris 2'), save('Paris')),
    ['changed', 'Paris 2', 3],
    'what was typed during the save is not saved',
  )
  t.strictSame(
    after(type('Paris'), { type: 'reset', stored: second }),
    ['clean', 'Nice', 3],
    'theirs are taken',
  )
})
