import t from 'tap'
import { listCsv } from '../../shared/csv-list.ts'
import { csvLists } from '../../shared/schemas/csv-lists.ts'

const terms = { timeZone: 'Asia/Kathmandu', currency: 'JPY' }

t.test('shares are in percent, amounts in the currency of the heading, and missing values are empty', (t) => {
  const rows = [
    {
      ...{ variantId: 'gid://platform/ProductVariant/1', sku: '=1+1', title: 'Mug; blue', unitsSold: 3 },
      ...{ revenue: 1234.5, share: 0.078652, cumulativeShare: 0.1 + 0.2, abcClass: null },
    },
  ]
  t.equal(
    listCsv(rows, csvLists.abc, terms),
    '\ufeffSKU,Product,Units sold,Revenue (JPY),Share (%),Cumulative share (%),Class,Variant ID\n' +
      '\'=1+1,"Mug; blue",3,1234.5,7.8652,30,,gid://platform/ProductVariant/1\n',
  )
  t.end()
})

t.test('instants are in the time zone of the heading, and users, kinds and booleans are words', (t) => {
  const rows = [
    {
      ...{ id: 7, variantId: 'v', sku: 'A\t1', title: 'Mug', locationId: 'l', locationName: 'Main' },
      ...{ kind: 'set', previousQuantity: 5, newQuantity: 2, delta: -3, reason: '-1', reference: '' },
      ...{ referenceName: '', isOpening: false, actor: '12', occurredAt: '2026-11-22T18:20:30.000Z' },
    },
    { sku: '', kind: 'platform', isOpening: true, actor: '', occurredAt: '2026-11-22T18:15:00.000Z' },
  ]
  t.strictSame(listCsv(rows, csvLists.stockMovements, terms).split('\n'), [
    '\ufeffSKU,Product,Location,Time (Asia/Kathmandu),Type,Before,Change,After,Reason,Document,Opening stock,User,Movement ID,Variant ID,Location ID,Document ID',
    `"A\t1",Mug,Main,2026-11-23 00:05,Set,5,-3,2,'-1,,No,User 12,7,v,l,`,
    ',,,2026-11-23 00:00,Sale or edit in your shop,,,,,,Yes,,,,,',
    '',
  ])
  t.end()
})
