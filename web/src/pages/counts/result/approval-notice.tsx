import { Button, Text } from '@mantine/core'
import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { useChange } from '../../../api/queries.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { Notice } from '../../../components/feedback/notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { useSettings } from '../../../components/shop/settings.tsx'

/** The differences are above the limit of the settings: says what to do, and approves. */
export function ApprovalNotice({ count, onApproved }: { count: StockCount; onApproved: () => unknown }) {
  const { money, many } = useFormat()
  const { countApprovalValue } = useSettings()
  const { id, phase, absoluteVarianceValue, uncostedItemCount, variancesVersion } = count
  const approve = useChange('POST /stock-counts/:id/approve', {
    onDone: async () => {
      await onApproved()
      notifyDone(`Count #${id} approved`)
    },
  })
  const value = absoluteVarianceValue ?? 0
  return (
    <Notice tone="waiting" title="This count needs an approval">
      <Text c="#1c2024" mb="sm">
        {countApprovalValue !== null && value > countApprovalValue
          ? `The differences are worth ${money(value)}, above your limit of ${money(countApprovalValue)}. `
          : `The cost of ${many(uncostedItemCount ?? 0, 'product')} with a difference is not known. `}
        {phase === 'review'
          ? 'A user without numbers in this count can approve it.'
          : 'Finish counting. A user without numbers in this count can then approve it.'}
      </Text>
      {approve.error && <ErrorNotice error={approve.error} />}
      {phase === 'review' && (
        <Button
          size="xs"
          variant="default"
          loading={approve.isPending}
          onClick={() =>
            approve.mutate({ params: { id }, body: { variancesVersion: variancesVersion ?? undefined } })
          }
        >
          Approve
        </Button>
      )}
    </Notice>
  )
}
