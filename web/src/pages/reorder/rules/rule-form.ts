import type { ReorderMode, ReorderRuleInput } from '../../../../../shared/schemas/reorder-rules.ts'
import type { PickedVariant } from '../../../components/pickers/variant-picker.tsx'

/** Fields are called as the API calls them, so that its faults find them. A number not yet written is ''. */
export type RuleForm = {
  variantId: PickedVariant | null
  locationId: string | null
  supplierId: number | null
  mode: ReorderMode
  reorderPoint: number | string
  reorderQuantity: number | string
  serviceLevel: number | string
  reviewDays: number | string
}

export const noRule: RuleForm = {
  variantId: null,
  locationId: null,
  supplierId: null,
  mode: 'manual',
  reorderPoint: '',
  reorderQuantity: '',
  serviceLevel: 95,
  reviewDays: 7,
}

const numbersOf = {
  manual: ['reorderPoint', 'reorderQuantity'],
  auto: ['serviceLevel', 'reviewDays'],
} as const

/** Only the numbers of the mode that was chosen. */
export function inputOf(variantId: string, form: RuleForm): ReorderRuleInput {
  const { locationId, supplierId, mode } = form
  const numbers = numbersOf[mode].flatMap((field) =>
    form[field] === '' ? [] : [[field, Number(form[field])]],
  )
  return { variantId, locationId, supplierId, mode, ...Object.fromEntries(numbers) }
}
