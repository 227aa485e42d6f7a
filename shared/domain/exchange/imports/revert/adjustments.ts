import { deletePastAdjustments } from '../../../documents/past-adjustments/imported.ts'
import type { Remover } from './remover.ts'

export const revertAdjustments: Remover = async (tx, shopId, importId, ids) => {
  await deletePastAdjustments(tx, shopId, importId, ids)
  return []
}
