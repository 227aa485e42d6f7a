import { type Static, Type } from '@sinclair/typebox'
import { type Db, row, sql } from './db.ts'

/** The newest migration this release knows. Raised together with each file added to `db/migrations/`. */
export const schemaVersion = 29

const Found = Type.Object({ isThere: Type.Boolean() })
const Version = Type.Object({ version: Type.Integer() })
type Version = Static<typeof Version>

/** The newest migration that the database has, 0 before the first. */
export async function readSchemaVersion(db: Db): Promise<number> {
  const { isThere } = await db.one(sql.type(row(Found))`
    select to_regclass('schema_migration') is not null as is_there
  `)
  if (!isThere) return 0
  const { version }: Version = await db.one(sql.type(row(Version))`
    select coalesce(max(version), 0) as version from schema_migration
  `)
  return version
}

/** Throws, with what to do, when this release cannot work on the database's schema. */
export async function requireKnownSchema(db: Db): Promise<void> {
  const version = await readSchemaVersion(db)
  if (version < schemaVersion) {
    throw new Error(
      `The database is at migration ${version} and this release needs ${schemaVersion}: run "npm run migrate" first.`,
    )
  }
  if (version > schemaVersion) {
    throw new Error(
      `The database is at migration ${version}, which is newer than this release knows (${schemaVersion}): deploy the newer release.`,
    )
  }
}
