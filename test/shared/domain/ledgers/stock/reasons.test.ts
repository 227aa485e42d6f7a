import t from 'tap'
import { platformReasonOf } from '../../../../../shared/domain/ledgers/stock/reasons.ts'
import { defaultReasons } from '../../../../../shared/domain/records/shops/adjustment-reasons.ts'

t.test('the platform reason of each reason of the default list', async (t) => {
  t.strictSame(
    defaultReasons.map((reason) => [reason, platformReasonOf(reason)]),
    [
      ['Damaged', 'damaged'],
      ['Found', 'correction'],
      ['Theft', 'shrinkage'],
      ['Returned', 'restock'],
      ['Sample', 'promotion'],
      ['Correction', 'correction'],
    ],
  )
})
