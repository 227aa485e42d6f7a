import t from 'tap'
import {
  addRatios,
  emptyRatios,
  minSeasonalRows,
  profileOf,
  ratiosOf,
  seasonalIndex,
} from '../../../shared/forecast/seasonal-index.ts'

const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(3)))

t.test('a ratio compares a row with its centred moving average', async (t) => {
  // Hyndman and Athanasopoulos, 3.3: a 2x4 moving average; row 3: (0.5 * 1 + 2 + 3 + 4 + 0.5 * 5) / 4 = 3
  const { demand, averages } = ratiosOf([1, 2, 3, 4, 5], { length: 4, phase: 0 })
  t.strictSame(demand, [0, 0, 3, 0])
  t.strictSame(averages, [0, 0, 3, 0])
  t.strictSame(
    ratiosOf([1, 2, 3, 4, 5], { length: 4, phase: 3 }).demand,
    [0, 3, 0, 0],
    'in its place of the season',
  )
  t.strictSame(ratiosOf([1, 2, null, 4, 5], { length: 4, phase: 0 }).demand, [0, 0, 0, 0])
})

t.test('the indices of a season have the mean 1', async (t) => {
  const seasons = [10, 20, 30, 20, 10, 20, 30, 20, 10, 20, 30, 20]
  t.strictSame(profileOf(ratiosOf(seasons, { length: 4, phase: 0 })), [0.5, 1, 1.5, 1])
})

t.test('an index is drawn towards that of the product type: (n own + m type) / (n + m)', async (t) => {
  // 12 rows, season 4: (12 * 0.5 + 4 * 1.5) / 16 = 0.75, and (12 * 1.5 + 4 * 0.5) / 16 = 1.25
  const seasons = [10, 20, 30, 20, 10, 20, 30, 20, 10, 20, 30, 20]
  const season = { length: 4, phase: 0, profile: [1.5, 1, 0.5, 1] }
  t.strictSame(rounded(seasonalIndex(seasons, season)), [0.75, 1, 1.25, 1])
  t.strictSame(rounded(seasonalIndex([5, 5, 5], season)), [1.5, 1, 0.5, 1], 'without own ratios: of the type')
})

t.test('the profile of a product type is of all its demand', async (t) => {
  const type = emptyRatios(4)
  addRatios(type, { demand: [10, 0, 0, 30], averages: [20, 0, 0, 20] })
  addRatios(type, { demand: [10, 0, 0, 10], averages: [20, 0, 0, 20] })
  // 20 / 40 = 0.5 and 40 / 40 = 1, unknown places 1; their mean is 0.875
  t.strictSame(rounded(profileOf(type)), [0.571, 1.143, 1.143, 1.143])
})

t.test('a season needs 56 weeks or 13 months', async (t) => {
  t.strictSame([minSeasonalRows(52), minSeasonalRows(12)], [56, 13])
})
