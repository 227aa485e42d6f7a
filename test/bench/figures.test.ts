import t from 'tap'
import { type Figure, judge } from '../../bench/figures.ts'
import { alternate, median } from '../../bench/rounds.ts'

const figure: Figure = {
  what: 'writes',
  unit: 'requests/s',
  value: 60,
  baseline: { what: 'of pg', value: 100 },
}

t.test('a figure is judged by itself or by what was measured beside it, the limit included', async (t) => {
  t.match(judge(figure), { ratio: 0.6, isReached: null }, 'for comparison only')
  const judged = (of: 'value' | 'ratio', at: 'least' | 'most', limit: number) =>
    judge({ ...figure, target: { of, at, limit } }).isReached
  t.equal(judged('ratio', 'least', 0.6), true)
  t.equal(judged('ratio', 'least', 0.61), false)
  t.equal(judged('value', 'most', 60), true)
  t.equal(judged('value', 'most', 59), false)
})

t.test('what has no baseline, or could not be measured, never counts as reached', async (t) => {
  const { baseline: _, ...alone } = figure
  t.match(judge({ ...alone, target: { of: 'ratio', at: 'least', limit: 0 } }), {
    ratio: null,
    isReached: false,
  })
  const nothing = { ...figure, value: Number.NaN }
  for (const at of ['least', 'most'] as const)
    t.equal(judge({ ...nothing, target: { of: 'value', at, limit: 0 } }).isReached, false)
})

t.test('both sides are measured in turns, after one turn of each that counts for nothing', async (t) => {
  const order: string[] = []
  const side = (name: string) => async () => order.push(name)
  const { subjects, baselines } = await alternate(3, { subject: side('s'), baseline: side('b') })
  t.equal(order.join(''), 'bs' + 'bs' + 'sb' + 'bs')
  t.strictSame(
    [subjects, baselines],
    [
      [4, 5, 8],
      [3, 6, 7],
    ],
  )
})

t.test('the median is the middle, or between the two in the middle', async (t) => {
  t.equal(median([9, 1, 5]), 5)
  t.equal(median([9, 1, 5, 7]), 6)
  t.ok(Number.isNaN(median([])))
})
