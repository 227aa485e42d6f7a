import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from '../../../db/db.ts'
import { conflict, notFound, unprocessable } from '../../../errors.ts'
import { enqueue } from '../../../queue/enqueue.ts'
import { jobs } from '../../../queue/jobs.ts'
import { Id, type PageQuery } from '../../../schemas/common.ts'
import {
  Import,
  type ImportInput,
  ImportListItem,
  type ImportPart,
  type ImportRun,
  type ImportSheet,
  type ImportState,
  StoredSheet,
} from '../../../schemas/imports.ts'
import { type Page, pageSize, toPage } from '../../kit/pages/pages.ts'
import { fieldsOf, sheetKinds } from './read/columns.ts'
import { isStockList } from './read/guess-kind.ts'
import { questionsOf } from './read/questions.ts'

/*
 * States of an import.
 *   uploading  parts of the file arrive
 *   reading    the worker reads the file                             -> checking, ready (a question is open), failed
 *   checking   the worker makes a dry run; a change starts another one -> ready, running
 *   ready      has a preview, or questions of `questions.ts`, or the `error` of a dry run; the merchant may change the
 *              mapping, ask for a dry run, import                    -> checking, running
 *   running    the worker imports, in batches                        -> done, failed
 *   done       may be reverted
 *   failed     the file could not be read, or a run or a revert ended early; `error` says what to do. May be reverted
 *   reverting  the worker reverts what nothing has used since    -> reverted, failed
 */

export const StoredImport = Type.Object({
  ...Type.Omit(Import, ['sheets', 'ignored', 'columns', 'mapping', 'fields', 'questions']).properties,
  sheets: Type.Array(StoredSheet),
  fileSha256: Type.Union([Type.String(), Type.Null()]),
})
export type StoredImport = Static<typeof StoredImport>

export const importColumns = sql.fragment`
  id, kind, state, file_name, file_sha256, sheets, defaults, summary, progress, error, created_by, created_at, finished_at,
  reverted_at
`

/** Imports, newest first. */
export async function listImports(db: Db, shopId: number, query: PageQuery): Promise<Page<ImportListItem>> {
  const records = await db.any(sql.type(row(ImportListItem))`
    select id, kind, state, file_name, summary, progress, error, created_at, finished_at, reverted_at
    from import
    where ${sql.and([
      sql.fragment`shop_id = ${shopId}`,
      query.cursor !== undefined && sql.fragment`id < ${query.cursor}`,
    ])}
    order by id desc
    limit ${pageSize(query) + 1}
  `)
  return toPage(records, query)
}

/** Throws not_found. */
export async function findImport(db: Db, shopId: number, id: number): Promise<StoredImport> {
  const found = await db.maybeOne(sql.type(row(StoredImport))`
    select ${importColumns} from import where shop_id = ${shopId} and id = ${id}
  `)
  if (!found) throw notFound('Import')
  return found
}

/** Throws not_found. */
export const getImport = async (db: Db, shopId: number, id: number) =>
  toImport(await findImport(db, shopId, id))

export function toImport({ sheets: stored, fileSha256: _sha, ...rest }: StoredImport): Import {
  const sheets = stored.filter(({ fault }) => fault === undefined)
  return {
    ...rest,
    sheets: sheets.map(({ columns, ...sheet }) => ({
      ...sheet,
      isStockList: isStockList(
        sheet.name,
        columns.map(({ name }) => name),
      ),
    })),
    ignored: stored.flatMap(({ name, fault }) => (fault === undefined ? [] : [{ name, reason: fault }])),
    columns: sheets.flatMap((sheet) =>
      sheet.columns.map(({ name, samples }) => ({ sheet: sheet.name, name, samples })),
    ),
    mapping: sheets.flatMap((sheet) =>
      sheet.columns.map(({ name, field }) => ({ sheet: sheet.name, column: name, field })),
    ),
    questions: questionsOf({ sheets: stored, defaults: rest.defaults }),
    fields: sheetKinds.map((kind) => ({ kind, fields: fieldsOf(kind) })),
  }
}

export async function createImport(
  db: Db,
  shopId: number,
  actor: string,
  { fileName, kind }: ImportInput,
): Promise<Import> {
  const created = await db.one(sql.type(row(StoredImport))`
    insert into import (shop_id, kind, file_name, created_by)
    values (${shopId}, ${kind ?? null}, ${fileName}, ${actor})
    returning ${importColumns}
  `)
  return toImport(created)
}

/** Stores a part of the file; a repeated part replaces the one before. `readImport` waits for it. Throws not_found, conflict. */
export async function putImportPart(
  db: Db,
  shopId: number,
  id: number,
  part: number,
  { base64 }: ImportPart,
): Promise<{ message: string }> {
  const stored = await db.maybeOne(sql.typeAlias('id')`
    with open as (
      select id from import where shop_id = ${shopId} and id = ${id} and state = 'uploading' for share
    ),
    stored as (
      insert into import_file (shop_id, import_id, part, bytes)
      select ${shopId}::bigint, id, ${part}::int, ${sql.binary(Buffer.from(base64, 'base64'))} from open
      on conflict (shop_id, import_id, part) do update set bytes = excluded.bytes
    )
    select id from open
  `)
  if (!stored)
    throw await refused(db, shopId, id, 'This file is complete. Start another import for another file.')
  return { message: 'Part stored.' }
}

const Parts = Type.Object({ parts: Type.Integer(), last: Type.Union([Type.Integer(), Type.Null()]) })

/** Enqueues the job that reads the file. Throws not_found, conflict, missing_parts. */
export function readImport(db: Db, shopId: number, id: number): Promise<Import> {
  return db.transaction(async (tx) => {
    await move(
      tx,
      shopId,
      id,
      ['uploading'],
      'reading',
      'This file has been read. Start another import to read another.',
    )
    const { parts, last } = await tx.one(sql.type(row(Parts))`
      select count(*) as parts, max(part) as last from import_file where shop_id = ${shopId} and import_id = ${id}
    `)
    if (last === null || parts !== last + 1) {
      const message =
        'Parts of the file are missing. Send all parts, numbered from 0, before you start reading the file.'
      throw unprocessable('missing_parts', message)
    }
    return enqueued(tx, shopId, id)
  })
}

/** Deletes the outcomes of a dry run from the rows. */
export async function resetRows(tx: Db, shopId: number, id: number): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update import_row
    set state = 'pending', message = '', target = null, target_id = null
    where shop_id = ${shopId} and import_id = ${id} and state <> 'pending'
  `)
}

/** The kind of an import whose sheets have these kinds. */
export function kindOf(sheets: readonly Pick<ImportSheet, 'kind'>[]): Import['kind'] {
  const kinds = [...new Set(sheets.map(({ kind }) => kind))].filter((kind) => kind !== 'skip')
  return kinds.length > 1 ? 'archive' : (kinds[0] ?? null)
}

/**
 * Enqueues the job for the run or the dry run of an import; a dry run under way ends early. Throws not_found, conflict,
 * nothing_to_import.
 */
export function runImport(db: Db, shopId: number, id: number, { dryRun }: ImportRun): Promise<Import> {
  return db.transaction(async (tx) => {
    const state = dryRun ? 'checking' : 'running'
    if (!dryRun) await requireValidRows(tx, shopId, id)
    await move(
      tx,
      shopId,
      id,
      ['ready', 'checking'],
      state,
      'This import is not ready to run. Start another one to import again.',
    )
    await resetRows(tx, shopId, id)
    return enqueued(tx, shopId, id)
  })
}

/** A run is final, so an import whose dry run has found no valid row must stay one that the merchant can change. */
async function requireValidRows(tx: Db, shopId: number, id: number): Promise<void> {
  const isInvalid = await tx.maybeOne(sql.typeAlias('id')`
    select id from import
    where shop_id = ${shopId} and id = ${id} and state = 'ready'
      and (summary->>'new')::int + (summary->>'changed')::int + (summary->>'same')::int = 0
    for no key update
  `)
  if (isInvalid)
    throw unprocessable(
      'nothing_to_import',
      'Nothing to import: fix the rows or the columns, then check again.',
    )
}

/** Enqueues the job that reverts the import. Throws not_found, conflict. */
export function revertImport(db: Db, shopId: number, id: number): Promise<Import> {
  return db.transaction(async (tx) => {
    await requireNoLaterLines(tx, shopId, id)
    await move(
      tx,
      shopId,
      id,
      ['done', 'failed'],
      'reverting',
      'Only an import that has run can be reverted.',
    )
    return enqueued(tx, shopId, id)
  })
}

const Later = Type.Object({ id: Id, fileName: Type.String() })

/** A later import may have added lines to orders of this one. Reverted before it, this one would have to keep these orders. */
async function requireNoLaterLines(tx: Db, shopId: number, id: number): Promise<void> {
  const later = await tx.maybeOne(sql.type(row(Later))`
    select i.id, i.file_name
    from import_target made
    join import_target line on line.shop_id = ${shopId} and line.target = 'purchase_order_line'
      and line.parent_id = made.target_id and line.import_id <> made.import_id
    join import i on i.shop_id = ${shopId} and i.id = line.import_id
    where made.shop_id = ${shopId} and made.import_id = ${id} and made.target = 'purchase_order'
    order by i.id desc
    limit 1
  `)
  if (later)
    throw conflict(
      `Revert ${later.fileName} (import ${later.id}) first: it has added lines to orders of this import.`,
    )
}

export const reasons: Partial<Record<ImportState, string>> = {
  uploading: 'Start reading the file first.',
  reading: 'The file is being read. Wait a moment.',
  checking: 'The dry run is not done yet. Wait until it is.',
  running: 'This import is running. Wait until it is done.',
  failed: 'This import has failed. Start another one.',
  reverting: 'This import is being reverted. Wait until that is done.',
  reverted: 'This import was reverted. Start another one to import again.',
}

/** One guarded statement: changes the state, or says why not. */
async function move(
  tx: Db,
  shopId: number,
  id: number,
  from: ImportState[],
  to: ImportState,
  otherwise: string,
): Promise<void> {
  const moved = await tx.maybeOne(sql.typeAlias('id')`
    update import
    set state = ${to}, progress = 0, error = '', summary = case when ${to} = 'reverting' then summary end
    where shop_id = ${shopId} and id = ${id} and state = any(${sql.array(from, 'text')})
    returning id
  `)
  if (!moved) throw await refused(tx, shopId, id, otherwise)
}

async function refused(db: Db, shopId: number, id: number, otherwise: string) {
  const { state } = await findImport(db, shopId, id)
  return conflict(reasons[state] ?? otherwise)
}

async function enqueued(tx: Db, shopId: number, importId: number): Promise<Import> {
  const current = await getImport(tx, shopId, importId)
  await enqueue(tx, jobs.workOnImport, { shopId, importId })
  return current
}
