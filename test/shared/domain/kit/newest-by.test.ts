import t from 'tap'
import { compareInstants, newestBy } from '../../../../shared/domain/kit/newest-by.ts'

const noon = '2026-03-01T12:00:00Z'
const one = '2026-03-01T13:00:00Z'

t.test('the newest report of each product, of equal ones the last', async (t) => {
  const reports = [
    { gid: 'mug', at: one, title: 'Mug' },
    { gid: 'mug', at: noon, title: 'Old mug' },
    { gid: 'cup', at: noon, title: 'Cup' },
    { gid: 'cup', at: '2026-03-01T12:00:00.000Z', title: 'Cup, once more' },
    { gid: 'jar', at: null, title: 'Jar without a time' },
    { gid: 'jar', at: one, title: 'Jar' },
    { gid: 'jar', at: null, title: 'Last jar without a time' },
  ]
  const newest = newestBy(
    reports,
    ({ gid }) => gid,
    (a, b) => compareInstants(a.at, b.at),
  )
  t.strictSame(
    [...newest].map(([gid, { title }]) => [gid, title]),
    [
      ['mug', 'Mug'],
      ['cup', 'Cup, once more'],
      ['jar', 'Last jar without a time'],
    ],
  )
})
