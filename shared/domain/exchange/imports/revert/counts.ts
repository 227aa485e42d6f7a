import { sql } from '../../../../db/db.ts'
import { lockRecords } from '../locks.ts'
import type { Remover } from './remover.ts'

export const revertCounts: Remover = async (tx, shopId, _importId, ids) => {
  await lockRecords(tx, shopId, 'stock_count', ids)
  const deleted = await tx.anyFirst(sql.typeAlias('id')`
    delete from stock_count c
    where c.shop_id = ${shopId} and c.is_imported and c.id = any(${sql.array(ids, 'int8')})
      and not exists (select from attachment a where a.shop_id = ${shopId} and a.stock_count_id = c.id)
    returning c.id
  `)
  return ids
    .filter((id) => !deleted.includes(id))
    .map((targetId) => ({
      targetId,
      message: 'Files have been attached to the count.',
    }))
}
