import type { ReorderMode, ReorderRuleInput } from '../../../../../shared/schemas/reorder-rules.ts'
import type { PickedVariant } from '../../../components/pickers/picked-variant.ts'

/** The fields have the names of the API, so that its errors match them. An empty number is ''. */
export type RuleForm = {
  variantId: PickedVariant | null
  locationId: string | null
  supplierId: number | null
  mode: ReorderMode
  reorderPoint: number | string
  reorderQuantity: number | string
  serviceLevel: number | string
  reviewDays: number | string
  maxLevel: number | string
}

export const emptyRule: RuleForm = {
  variantId: null,
  locationId: null,
  supplierId: null,
  mode: 'manual',
  reorderPoint: '',
  reorderQuantity: '',
  serviceLevel: '',
  reviewDays: 7,
  maxLevel: '',
}

const fieldsOfMode = {
  manual: ['reorderPoint', 'reorderQuantity', 'maxLevel'],
  auto: ['serviceLevel', 'reviewDays', 'maxLevel'],
} as const

/** Sends only the numbers of the chosen mode. */
export function inputOf(variantId: string, form: RuleForm): ReorderRuleInput {
  const { locationId, supplierId, mode } = form
  const numbers = fieldsOfMode[mode].flatMap((field) =>
    form[field] === '' ? [] : [[field, Number(form[field])]],
  )
  return { variantId, locationId, supplierId, mode, ...Object.fromEntries(numbers) }
}
