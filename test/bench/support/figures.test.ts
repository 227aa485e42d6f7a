import t from 'tap'
import { compareWithTarget, type Figure } from '../../../bench/support/figures.ts'
import { alternate, median } from '../../../bench/support/rounds.ts'

const figure: Figure = {
  what: 'writes',
  unit: 'requests/s',
  value: 60,
  baseline: { what: 'of pg', value: 100 },
}

t.test(
  'a target limits the value or its ratio to the baseline, and the limit itself counts as reached',
  async (t) => {
    t.match(compareWithTarget(figure), { ratio: 0.6, isReached: null }, 'a figure without a target')
    const isReached = (of: 'value' | 'ratio', at: 'min' | 'max', limit: number) =>
      compareWithTarget({ ...figure, target: { of, at, limit } }).isReached
    t.equal(isReached('ratio', 'min', 0.6), true)
    t.equal(isReached('ratio', 'min', 0.61), false)
    t.equal(isReached('value', 'max', 60), true)
    t.equal(isReached('value', 'max', 59), false)
  },
)

t.test('a figure without a baseline or a measured value never reaches its target', async (t) => {
  const { baseline: _, ...alone } = figure
  t.match(compareWithTarget({ ...alone, target: { of: 'ratio', at: 'min', limit: 0 } }), {
    ratio: null,
    isReached: false,
  })
  const unmeasured = { ...figure, value: Number.NaN }
  for (const at of ['min', 'max'] as const)
    t.equal(compareWithTarget({ ...unmeasured, target: { of: 'value', at, limit: 0 } }).isReached, false)
})

t.test('subject and baseline are measured in turns, after one warm-up turn each', async (t) => {
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

t.test('the median is the middle value, or the mean of the two middle values', async (t) => {
  t.equal(median([9, 1, 5]), 5)
  t.equal(median([9, 1, 5, 7]), 6)
  t.ok(Number.isNaN(median([])))
})
