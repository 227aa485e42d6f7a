import { deleteImportedCounts } from '../../../documents/stock-counts/imported/counts.ts'
import { lockRecords } from '../locks.ts'
import type { Remover } from './remover.ts'

export const revertCounts: Remover = async (tx, shopId, _importId, ids) => {
  await lockRecords(tx, shopId, 'stock_count', ids)
  const deleted = await deleteImportedCounts(tx, shopId, ids)
  return ids
    .filter((id) => !deleted.includes(id))
    .map((targetId) => ({
      targetId,
      message: 'Files have been attached to the count.',
    }))
}
