import { Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { unprocessable } from '../../../errors.ts'
import { reasonsOf } from '../../records/shops/adjustment-reasons.ts'

const Rules = Type.Object({ reasons: Type.Array(Type.String()) })

/**
 * When the shop requires reasons, a change needs one of its list. `paths` are the fields of the request that lack or have
 * this reason. Throws reason_required, unknown_reason.
 */
export async function requireReason(
  db: Db,
  shopId: number,
  reason: string | undefined,
  paths: readonly string[],
): Promise<void> {
  await requireReasons(
    db,
    shopId,
    paths.map((path) => ({ path, reason })),
  )
}

/**
 * As `requireReason`, for changes with a reason each: the error has the fields of all that lack one or have an unknown one.
 * `functions/move_stock_by_gid.sql` has the same rule.
 */
export async function requireReasons(
  db: Db,
  shopId: number,
  given: readonly { path: string; reason?: string | undefined }[],
): Promise<void> {
  if (given.length === 0) return
  const rules = await db.maybeOne(sql.type(row(Rules))`
    select ${reasonsOf('t')} as reasons from shop_setting t where t.shop_id = ${shopId} and t.adjustment_reason_required
  `)
  if (!rules) return
  const invalid = given.filter(({ reason }) => !reason || !rules.reasons.includes(reason))
  if (invalid.length === 0) return
  const faults = invalid.map(({ path, reason }) => ({
    path,
    message: reason
      ? 'is not one of the reasons in the settings'
      : 'must be one of the reasons in the settings',
  }))
  if (invalid.some(({ reason }) => !reason))
    throw unprocessable(
      'reason_required',
      'Choose a reason: your settings require one for each change of stock.',
      faults,
    )
  throw unprocessable(
    'unknown_reason',
    `Choose one of the reasons in your settings: ${rules.reasons.join(', ')}.`,
    faults,
  )
}
