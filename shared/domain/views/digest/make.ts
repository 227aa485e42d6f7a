import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { enqueueAll } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id } from '../../../schemas/common.ts'
import { inInstalledShop } from '../../records/shops/shops.ts'
import { readDigest, seenDigest } from './content.ts'

const Due = Type.Object({
  isOn: Type.Boolean(),
  recipients: Type.Array(Type.String()),
  isNewest: Type.Boolean(),
})
type Due = Static<typeof Due>
const Queued = Type.Object({ shopId: Id, digestMailId: Id })

/**
 * Computes a due digest: one mail per recipient when something is new, none otherwise. The row of the settings is locked, so
 * the digests of a shop are computed one after another. What only a digest without a sent mail contained is still new.
 *   due -> made         the mails and their jobs are stored with it
 *   due -> nothing_new  everything was in the digest before
 *   due -> skipped      the digest was turned off, or the digest of a later day exists
 */
export async function makeDigest(db: Db, shopId: number, digestId: number): Promise<void> {
  await inInstalledShop(db, shopId, async (tx) => {
    await tx.query(sql.typeAlias('void')`
      select from digest_setting where shop_id = ${shopId} for no key update
    `)
    const due: Due | null = await tx.maybeOne(sql.type(row(Due))`
      select d.is_on, d.recipients,
        not exists (select from digest later where later.shop_id = ${shopId} and later.day > g.day) as is_newest
      from digest g
      join digest_setting d on d.shop_id = ${shopId}
      where g.shop_id = ${shopId} and g.id = ${digestId} and g.state = 'due'
    `)
    if (!due) return
    if (!due.isOn || !due.isNewest) {
      await tx.query(sql.typeAlias('void')`
        update digest set state = 'skipped' where shop_id = ${shopId} and id = ${digestId}
      `)
      return
    }
    const { content, keys, isNew } = await readDigest(tx, shopId)
    await tx.query(sql.typeAlias('void')`
      update digest
      set seen = null
      where shop_id = ${shopId} and seen is not null and id is distinct from ${seenDigest(shopId)}
    `)
    await tx.query(sql.typeAlias('void')`
      update digest
      set state = ${isNew ? 'made' : 'nothing_new'}, seen = ${sql.array(keys, 'text')},
        content = ${isNew ? JSON.stringify(content) : null}::jsonb
      where shop_id = ${shopId} and id = ${digestId} and state = 'due'
    `)
    if (!isNew) return
    const mails = await tx.any(sql.type(row(Queued))`
      insert into digest_mail (shop_id, digest_id, recipient)
      select ${shopId}, ${digestId}, recipient
      from unnest(${sql.array(due.recipients, 'text')}) as recipient
      returning shop_id, id as digest_mail_id
    `)
    await enqueueAll(tx, jobs.sendDigest, mails)
  })
}
