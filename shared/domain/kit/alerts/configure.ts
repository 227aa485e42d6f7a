import { type Db, row, sql } from '../../../db/db.ts'
import { enqueue, jobKey } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { AlertConfiguration, type AlertConfigurationPatch } from '../../../schemas/alerts.ts'

/** The shop's alert configuration. Defaults: both types of alerts are on, and the threshold is 0 percent. */
export function getAlertConfiguration(db: Db, shopId: number): Promise<AlertConfiguration> {
  return db.one(sql.type(row(AlertConfiguration))`
    select coalesce(c.low_stock_alerts, true) as low_stock_alerts,
      coalesce(c.overdue_po_alerts, true) as overdue_po_alerts,
      coalesce(c.alert_threshold_percent, 0) as alert_threshold_percent
    from (select ${shopId}::bigint as shop_id) shop
    left join alert_configuration c on c.shop_id = ${shopId}
  `)
}

/**
 * Changes the given fields. A check is enqueued when a type is turned on or the threshold changes, since the next regular check may
 * come hours later. It raises the missing alerts, and after another threshold resolves those that no longer apply. Alerts of a type
 * that is turned off stay open.
 */
export function configureAlerts(
  db: Db,
  shopId: number,
  patch: AlertConfigurationPatch,
): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      insert into alert_configuration (shop_id) values (${shopId}) on conflict do nothing
    `)
    await tx.query(sql.typeAlias('void')`
      select from alert_configuration where shop_id = ${shopId} for no key update
    `)
    const before = await getAlertConfiguration(tx, shopId)
    const after = { ...before, ...patch }
    await tx.query(sql.typeAlias('void')`
      update alert_configuration
      set low_stock_alerts = ${after.lowStockAlerts},
        overdue_po_alerts = ${after.overduePoAlerts},
        alert_threshold_percent = ${after.alertThresholdPercent},
        updated_at = now()
      where shop_id = ${shopId}
    `)
    const isTurnedOn = !before.lowStockAlerts && after.lowStockAlerts
    if (isTurnedOn || before.alertThresholdPercent !== after.alertThresholdPercent) {
      await enqueue(tx, jobs.checkLowStock, { shopId }, { key: jobKey(jobs.checkLowStock, shopId) })
    }
    if (!before.overduePoAlerts && after.overduePoAlerts) {
      const { checkOverduePurchaseOrders: job } = jobs
      await enqueue(tx, job, { shopId }, { key: jobKey(job, shopId) })
    }
    return { message: 'Alerts configured.' }
  })
}
