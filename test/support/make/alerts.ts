import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../shared/db/db.ts'
import { raiseAlert } from '../../../shared/domain/kit/alerts/alerts.ts'
import { alertMessage } from '../../../shared/domain/kit/alerts/message.ts'
import type { AlertType } from '../../../shared/schemas/alerts.ts'
import type { Person } from '../core/people.ts'

type Shop = Pick<Person, 'shopId'>

const StoredAlert = Type.Object({ message: Type.String(), isOpen: Type.Boolean() })

/** All alerts of a type of a shop, oldest first. */
export function alertsOf(db: Db, { shopId }: Shop, type: AlertType) {
  return db.any(sql.type(row(StoredAlert))`
    select ${alertMessage('alert')} as message, resolved_at is null as is_open
    from alert
    where shop_id = ${shopId} and type = ${type}
    order by id
  `)
}

let subjects = 0

/** Makes an alert with a unique subject. Returns its id. */
export async function makeAlert(
  db: Db,
  { shopId }: Shop,
  {
    type = 'low_stock',
    message = 'Mugs are low.',
    isResolved = false,
  }: { type?: AlertType; message?: string; isResolved?: boolean } = {},
): Promise<number> {
  subjects += 1
  const subject = `test/${subjects}`
  await raiseAlert(db, shopId, { type, subject, message })
  return db.oneFirst(sql.typeAlias('id')`
    update alert
    set resolved_at = case when ${isResolved} then now() end
    where shop_id = ${shopId} and subject = ${subject}
    returning id
  `)
}
