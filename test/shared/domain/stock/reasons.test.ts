import t from 'tap'
import { defaultReasons } from '../../../../shared/domain/stock/adjustment-reasons.ts'
import { platformReasonOf } from '../../../../shared/domain/stock/reasons.ts'

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
