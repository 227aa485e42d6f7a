import type { RefObject } from 'react'
import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { notifyRefused } from '../../../components/feedback/notify.ts'
import { type RuleQuery, useRuleDeletion } from './change-rule.ts'

type Props = {
  query: RuleQuery
  rule: ReorderRule | null
  onClose: () => void
  returnTo: RefObject<HTMLElement | null>
}

export function DeleteRule({ query, rule, onClose, returnTo }: Props) {
  const remove = useRuleDeletion(query, notifyRefused)
  return (
    <Confirm
      isOpen={rule !== null}
      title={`Delete the rule of ${rule?.title ?? 'this product'}?`}
      confirm="Delete"
      isDestructive
      onConfirm={() => {
        if (rule) remove.mutate({ params: { id: rule.id } })
        onClose()
      }}
      onCancel={onClose}
      returnTo={returnTo}
    >
      This product will no longer be suggested when its stock runs low
      {rule?.locationName ? ` at ${rule.locationName}` : ''}. Existing orders and drafts are kept.
    </Confirm>
  )
}
