import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { levelsNotRead } from '../../../errors.ts'
import { isRead } from './expected.ts'

const Waiting = Type.Object({ lines: Type.Integer(), counted: Type.Integer(), isOverdue: Type.Boolean() })

/** How long the platform may leave an entry unanswered before a person may submit without its answer. */
const maxWait = sql.fragment`interval '2 minutes'`

/** SQL: the number of an item moves the level of its variant, from the aliases of both. */
export function isMoving(item: string, variant: string) {
  const v = sql.identifier([variant])
  return sql.fragment`${sql.identifier([item, 'counted_quantity'])} is not null and ${v}.deleted_at is null and ${v}.is_tracked`
}

/** The lines without a reading from after their entry. Throws levels_not_read, unless a person accepts them. */
export async function countUnread(tx: Db, shopId: number, id: number, acceptStale: boolean): Promise<number> {
  const { lines, counted, isOverdue } = await tx.one(sql.type(row(Waiting))`
    select count(*) filter (where not ${isRead('i')}) as lines, count(*) as counted,
      coalesce(bool_and(coalesce(i.entered_at, i.counted_at) <= now() - ${maxWait}) filter (where not ${isRead('i')}), false)
        as is_overdue
    from stock_count_item i
    join variant v on v.shop_id = ${shopId} and v.id = i.variant_id
    where i.shop_id = ${shopId} and i.count_id = ${id} and ${isMoving('i', 'v')}
  `)
  if (lines === 0 || (acceptStale && isOverdue)) return lines
  throw levelsNotRead(
    isOverdue
      ? `Your shop has not answered for two minutes: ${lines} of ${counted} counted products are not compared with its stock. Wait, or submit without the comparison.`
      : `Of ${counted} counted products, ${lines} are still being compared with the stock in your shop. Try again in a moment.`,
    [
      {
        path: '/status',
        message: `cannot be submitted: ${lines} lines have not been read since their entry`,
      },
    ],
  )
}
