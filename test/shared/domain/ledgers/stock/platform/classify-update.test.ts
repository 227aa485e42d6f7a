import t from 'tap'
import {
  changedAt,
  classifyUpdate,
  type LevelState,
  type LevelUpdate,
  type Outcome,
  settledLevel,
  updatedLevel,
} from '../../../../../../shared/domain/ledgers/stock/platform/classify-update.ts'

const noon = '2026-03-01T12:00:00.000Z'
const second = (seconds: number) => new Date(Date.parse(noon) + seconds * 1000).toISOString()

/** 12 pieces, of which +2 wait for a push; the platform reported 10 at noon. */
const level: LevelState = {
  variantId: 1,
  locationId: 2,
  quantity: 12,
  platformQuantity: 10,
  platformUpdatedAt: noon,
  states: null,
  answers: [],
  answeredAt: null,
  deferred: null,
  isSending: false,
}

const answered = { answers: [10, 8], answeredAt: noon }
const deferred = { available: 5, updatedAt: second(4) }

type Case = [
  what: string,
  level: Partial<LevelState>,
  update: LevelUpdate,
  outcome: Outcome,
  isAmbiguous?: true,
]
const cases: Case[] = [
  ['an older update', {}, { available: 9, updatedAt: second(-1) }, 'stale'],
  ['a newer update', {}, { available: 9, updatedAt: second(1) }, 'applied'],
  [
    'the first update of a level',
    { platformUpdatedAt: null },
    { available: 9, updatedAt: second(-9) },
    'applied',
  ],
  ['the same update again', {}, { available: 10, updatedAt: noon }, 'applied'],
  ['another quantity for the same second', {}, { available: 9, updatedAt: noon }, 'applied', true],
  ['the echo of a response', answered, { available: 8, updatedAt: noon }, 'echo'],
  [
    'an echo while a push is sent',
    { ...answered, isSending: true },
    { available: 10, updatedAt: noon },
    'echo',
  ],
  [
    'the second of a response, another quantity',
    answered,
    { available: 7, updatedAt: noon },
    'unclear',
    true,
  ],
  [
    'the second of a response that a later update has followed',
    { ...answered, platformUpdatedAt: second(-1), platformQuantity: 7 },
    { available: 7, updatedAt: noon },
    'unclear',
  ],
  ['an update while a push is sent', { isSending: true }, { available: 9, updatedAt: second(1) }, 'deferred'],
  [
    'an update as old as the deferred one',
    { isSending: true, deferred },
    { available: 9, updatedAt: second(4) },
    'deferred',
  ],
  [
    'an update older than the deferred one',
    { isSending: true, deferred },
    { available: 9, updatedAt: second(3) },
    'stale',
  ],
  ['a variant that is no longer tracked', {}, { available: null, updatedAt: second(1) }, 'applied'],
]

t.test('the outcome of an update', async (t) => {
  for (const [what, state, update, outcome, isAmbiguous = false] of cases) {
    const result = classifyUpdate({ ...level, ...state }, update, { isRead: false })
    t.same(result, { outcome, isAmbiguous }, what)
  }
})

t.test('levels that are read are never an echo, unclear or ambiguous', async (t) => {
  for (const [what, state, update] of cases) {
    const { outcome, isAmbiguous } = classifyUpdate({ ...level, ...state }, update, { isRead: true })
    t.notOk(isAmbiguous || outcome === 'echo' || outcome === 'unclear', what)
  }
})

t.test('the level after an update', async (t) => {
  const update = { available: 7, updatedAt: second(1) }
  const numbersAfter = (outcome: Outcome) => {
    const { quantity, platformQuantity, platformUpdatedAt } = updatedLevel(level, update, outcome)
    return [quantity, platformQuantity, platformUpdatedAt]
  }
  t.same(numbersAfter('applied'), [9, 7, second(1)], 'the 2 pending pieces stay')
  t.same(numbersAfter('stale'), [12, 10, noon])
  t.same(numbersAfter('unclear'), [12, 10, noon])
  t.same(updatedLevel(level, update, 'deferred'), { ...level, deferred: update })
  t.same(updatedLevel({ ...level, answers: [7, 8, 7] }, update, 'echo').answers, [8])
  const untracked = updatedLevel(level, { ...update, available: null }, 'applied')
  t.equal(untracked.quantity, 2, 'a variant without tracking has only its pending pieces')
})

t.test('the level after the result of a push of +2', async (t) => {
  const settled = (state: Partial<LevelState>, reported: { available: number; at: string } | null) => {
    const after = settledLevel({ ...level, ...state }, { settledDelta: 2, reported })
    return [after.quantity, after.platformQuantity, after.platformUpdatedAt, after.answers, after.answeredAt]
  }
  t.same(
    settled({}, { available: 9, at: second(1) }),
    [9, 9, second(1), [9], second(1)],
    'it sold 3 meanwhile',
  )
  t.same(settled({}, null), [10, 10, noon, [], null], 'discarded')
  const later = { quantity: 8, platformQuantity: 6, platformUpdatedAt: second(5) }
  t.same(
    settled(later, { available: 12, at: second(1) }),
    [6, 6, second(5), [12], second(1)],
    'a later update is known, which includes the push',
  )
  t.same(settled({ answers: [4], answeredAt: noon }, { available: 12, at: noon }), [
    12,
    12,
    noon,
    [4, 12],
    noon,
  ])
  t.same(
    settled({ answers: [4], answeredAt: second(9) }, { available: 12, at: second(1) }),
    [12, 12, second(1), [4], second(9)],
    'a later response keeps its answers',
  )
})

t.test(
  'a level that is not listed, and listed again as of then, has its movements when they were read',
  (t) => {
    const readStates = (seconds: number) => ({ committed: 0, unavailable: 0, readAt: second(seconds) })
    const gone = { available: 0, updatedAt: noon, states: readStates(60), goneAt: second(60) }
    t.match(classifyUpdate(level, gone, { isRead: true }), { outcome: 'applied' })
    t.equal(changedAt(level, gone), second(60))
    const emptied = updatedLevel(level, gone, 'applied')
    t.match(emptied, { quantity: 2, platformQuantity: 0, platformUpdatedAt: noon })
    const listed = { available: 10, updatedAt: noon, states: readStates(90) }
    t.match(classifyUpdate(emptied, listed, { isRead: true }), { outcome: 'applied' })
    t.equal(changedAt(emptied, listed), second(90))
    t.match(updatedLevel(emptied, listed, 'applied'), { quantity: 12, platformQuantity: 10 })
    t.equal(changedAt(emptied, { available: 10, updatedAt: second(70) }), second(70), 'goods that came later')
    t.equal(changedAt(emptied, { available: 9, updatedAt: second(30) }), second(60), 'a late webhook')
    const sending = { ...level, isSending: true }
    t.match(
      classifyUpdate(sending, gone, { isRead: true }),
      { outcome: 'stale' },
      'a push may be creating it',
    )
    t.end()
  },
)
