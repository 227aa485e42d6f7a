import { sql } from '../../../../db/db.ts'
import type { Remover } from './remover.ts'

export const revertAdjustments: Remover = async (tx, shopId, importId, ids) => {
  await tx.query(sql.typeAlias('void')`
    delete from past_adjustment
    where shop_id = ${shopId} and import_id = ${importId} and id = any(${sql.array(ids, 'int8')})
  `)
  return []
}
