import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { notFound } from '../../../errors.ts'
import { Logo, type LogoInput } from '../../../schemas/settings.ts'
import { isoInstant } from '../../kit/date-range.ts'
import { encodeLogo } from './encode-logo.ts'

/** SQL for the logo of the settings; null without one. */
export const logoOf = (shopId: number) => sql.fragment`(
  select jsonb_build_object(
    'id', id, 'width', width, 'height', height, 'size', octet_length(bytes),
    'createdAt', ${isoInstant(sql.fragment`created_at`)}
  )
  from shop_logo
  where shop_id = ${shopId} and is_current
)`

/**
 * Stores the logo of documents in the place of the one before. The same picture again changes nothing. Throws the errors of
 * `encodeLogo`.
 */
export async function saveLogo(db: Db, shopId: number, actor: string, { content }: LogoInput): Promise<Logo> {
  const { bytes, width, height } = await encodeLogo(content)
  const sha256 = createHash('sha256').update(bytes).digest()
  return db.transaction(async (tx) => {
    await lockLogo(tx, shopId)
    await tx.query(sql.typeAlias('void')`
      update shop_logo
      set is_current = false
      where shop_id = ${shopId} and is_current and sha256 <> ${sql.binary(sha256)}
    `)
    await tx.query(sql.typeAlias('void')`
      insert into shop_logo (shop_id, width, height, sha256, bytes, created_by)
      select ${shopId}, ${width}, ${height}, ${sql.binary(sha256)}, ${sql.binary(bytes)}, ${actor}
      where not exists (select from shop_logo where shop_id = ${shopId} and is_current)
    `)
    await deleteUnused(tx, shopId)
    return tx.one(sql.type(row(Logo))`
      select id, width, height, octet_length(bytes) as size, created_at
      from shop_logo
      where shop_id = ${shopId} and is_current
    `)
  })
}

/** Documents have no logo from now on. Throws not_found. */
export function removeLogo(db: Db, shopId: number): Promise<{ message: string }> {
  return db.transaction(async (tx) => {
    await lockLogo(tx, shopId)
    const removed = await tx.maybeOne(sql.typeAlias('id')`
      update shop_logo set is_current = false where shop_id = ${shopId} and is_current returning id
    `)
    if (!removed) throw notFound('Logo')
    await deleteUnused(tx, shopId)
    return { message: 'Logo removed.' }
  })
}

/** Two uploads follow each other: a shop has one current logo. */
async function lockLogo(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into shop_setting (shop_id) values (${shopId}) on conflict do nothing
  `)
  await tx.query(sql.typeAlias('void')`
    select from shop_setting where shop_id = ${shopId} for no key update
  `)
}

/**
 * The PDF of a mail shows the logo of its time, so a logo that was mailed stays. The lock comes first: a mail that is queued at the
 * same time has stored its logo then, or finds none (`queueMail`).
 */
async function deleteUnused(tx: Db, shopId: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    select from shop_logo where shop_id = ${shopId} and not is_current order by id for update
  `)
  await tx.query(sql.typeAlias('void')`
    delete from shop_logo l
    where l.shop_id = ${shopId} and not l.is_current
      and not exists (select from outgoing_mail m where m.shop_id = ${shopId} and m.logo_id = l.id)
  `)
}

const LogoFile = Type.Object({
  sha256: Type.String(),
  bytes: Type.Unsafe<Buffer>(Type.Any()),
  width: Type.Integer(),
  height: Type.Integer(),
})
export type LogoFile = Static<typeof LogoFile>

const fileColumns = sql.fragment`encode(sha256, 'hex') as sha256, bytes, width, height`

/** The picture of the settings. Throws not_found. */
export async function getLogoFile(db: Db, shopId: number): Promise<LogoFile> {
  const file = await db.maybeOne(sql.type(row(LogoFile))`
    select ${fileColumns} from shop_logo where shop_id = ${shopId} and is_current
  `)
  if (!file) throw notFound('Logo')
  return file
}

/** The picture of a document, by its `shop.logoId`; undefined when it has none, or the merchant has removed it. */
export async function readLogo(
  db: Db,
  shopId: number,
  { shop: { logoId } }: { shop: { logoId?: number } },
): Promise<LogoFile | undefined> {
  if (logoId === undefined) return undefined
  const file = await db.maybeOne(sql.type(row(LogoFile))`
    select ${fileColumns} from shop_logo where shop_id = ${shopId} and id = ${logoId}
  `)
  return file ?? undefined
}
