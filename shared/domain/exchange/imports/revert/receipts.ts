import { row, sql } from '../../../../db/db.ts'
import { deleteDirectReceipts } from '../../../documents/receipts/imported/remove.ts'
import { lockRecords } from '../locks.ts'
import { Kept, type Remover } from './remover.ts'

export const revertReceipts: Remover = async (tx, shopId, _importId, ids) => {
  await lockRecords(tx, shopId, 'receipt', ids)
  const kept = await tx.any(sql.type(row(Kept))`
    select r.id as target_id, 'The receipt has been used since.' as message
    from receipt r
    where r.shop_id = ${shopId} and r.id = any(${sql.array(ids, 'int8')}) and (
      not r.is_imported or r.reversed_at is not null
      or exists (select from supplier_return x where x.shop_id = ${shopId} and x.receipt_id = r.id)
      or exists (select from attachment a where a.shop_id = ${shopId} and a.receipt_id = r.id)
    )
  `)
  const used = new Set(kept.map(({ targetId }) => targetId))
  const free = ids.filter((id) => !used.has(id))
  await deleteDirectReceipts(tx, shopId, free)
  return kept
}
