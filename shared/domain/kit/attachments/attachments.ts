import { createHash } from 'node:crypto'
import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { badRequest, conflict, notFound, unprocessable } from '../../../errors.ts'
import {
  Attachment,
  type AttachmentFilter,
  type AttachmentInput,
  type AttachmentSubject,
  maxAttachments,
} from '../../../schemas/attachments.ts'
import { type Page, pageSize, toPage } from '../pages/pages.ts'
import { checkFile } from './check-file.ts'

/** The table of each kind of document; the column of `attachment` is its name with `_id`. */
const subjects: Record<AttachmentSubject, { column: string; name: string }> = {
  purchase_order: { column: 'purchase_order_id', name: 'a purchase order' },
  receipt: { column: 'receipt_id', name: 'a receipt' },
  supplier_return: { column: 'supplier_return_id', name: 'a return' },
  stock_transfer: { column: 'stock_transfer_id', name: 'a transfer' },
  stock_count: { column: 'stock_count_id', name: 'a count' },
}

/** The columns of an attachment without its bytes, which only `getAttachedFile` reads. */
const columns = sql.fragment`
  id, name, media_type, size, encode(sha256, 'hex') as sha256, created_by, created_at,
  case
    when purchase_order_id is not null then 'purchase_order'
    when receipt_id is not null then 'receipt'
    when supplier_return_id is not null then 'supplier_return'
    when stock_transfer_id is not null then 'stock_transfer'
    else 'stock_count'
  end as subject,
  coalesce(purchase_order_id, receipt_id, supplier_return_id, stock_transfer_id, stock_count_id) as subject_id
`

/** The files of the shop, of one kind of document or of one document, newest first. Throws invalid_request. */
export async function listAttachments(
  db: Db,
  shopId: number,
  filter: AttachmentFilter,
): Promise<Page<Attachment>> {
  const { subject, subjectId, cursor } = filter
  if (subjectId !== undefined && subject === undefined) {
    throw badRequest([{ path: '/subject', message: 'is required with subjectId' }])
  }
  const column = subject && sql.identifier([subjects[subject].column])
  const records = await db.any(sql.type(row(Attachment))`
    select ${columns}
    from attachment
    where ${sql.and([
      sql.fragment`shop_id = ${shopId}`,
      column !== undefined && sql.fragment`${column} is not null`,
      column !== undefined && subjectId !== undefined && sql.fragment`${column} = ${subjectId}`,
      cursor !== undefined && sql.fragment`id < ${cursor}`,
    ])}
    order by id desc
    limit ${pageSize(filter) + 1}
  `)
  return toPage(records, filter)
}

/**
 * Stores a file with a document. Its type is what its bytes say, and its name gets the extension of that type. Throws
 * unknown_subject, too_many_attachments, and the errors of `checkFile`.
 */
export async function addAttachment(
  db: Db,
  shopId: number,
  actor: string,
  { subject, subjectId, name, content }: AttachmentInput,
): Promise<Attachment> {
  const file = await checkFile(name, content)
  const column = sql.identifier([subjects[subject].column])
  return db.transaction(async (tx) => {
    await lockSubject(tx, shopId, subject, subjectId)
    const added = await tx.maybeOne(sql.type(row(Attachment))`
      insert into attachment (shop_id, ${column}, name, media_type, size, sha256, bytes, created_by)
      select ${shopId}, ${subjectId}, ${file.name}, ${file.mediaType}, ${file.bytes.length},
        ${sql.binary(createHash('sha256').update(file.bytes).digest())}, ${sql.binary(file.bytes)}, ${actor}
      where (select count(*) from attachment where shop_id = ${shopId} and ${column} = ${subjectId}) < ${maxAttachments}
      returning ${columns}
    `)
    if (added) return added
    const message = `This document has ${maxAttachments} files already. Delete one before you add another.`
    throw conflict(message, 'too_many_attachments')
  })
}

/** Two uploads to one document follow each other, so that both count the files. */
async function lockSubject(
  tx: Db,
  shopId: number,
  subject: AttachmentSubject,
  subjectId: number,
): Promise<void> {
  const found = await tx.maybeOne(sql.typeAlias('id')`
    select id from ${sql.identifier([subject])} where shop_id = ${shopId} and id = ${subjectId} for no key update
  `)
  if (found) return
  const { name } = subjects[subject]
  throw unprocessable('unknown_subject', 'The document of this file does not exist. Reload the page.', [
    { path: '/subjectId', message: `is not ${name} of this shop` },
  ])
}

const AttachedFile = Type.Object({
  name: Type.String(),
  mediaType: Type.String(),
  sha256: Type.String(),
  bytes: Type.Unsafe<Buffer>(Type.Any()),
})
export type AttachedFile = Static<typeof AttachedFile>

/** The file itself. Throws not_found. */
export async function getAttachedFile(db: Db, shopId: number, id: number): Promise<AttachedFile> {
  const file = await db.maybeOne(sql.type(row(AttachedFile))`
    select name, media_type, encode(sha256, 'hex') as sha256, bytes
    from attachment
    where shop_id = ${shopId} and id = ${id}
  `)
  if (!file) throw notFound('File')
  return file
}

/** Throws not_found. */
export async function deleteAttachment(db: Db, shopId: number, id: number): Promise<{ message: string }> {
  const deleted = await db.maybeOne(sql.typeAlias('id')`
    delete from attachment where shop_id = ${shopId} and id = ${id} returning id
  `)
  if (!deleted) throw notFound('File')
  return { message: 'File deleted.' }
}
