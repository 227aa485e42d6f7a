import { type Db, sql } from '../../../db/db.ts'

/** Sets uploads of all shops to failed that were not finished within an hour. */
export async function failInterruptedUploads(db: Db): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update import
    set state = 'failed', finished_at = now(), error = 'The upload was interrupted. Add the file again.'
    where state = 'uploading' and created_at < now() - interval '1 hour'
  `)
}
