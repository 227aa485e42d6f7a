import { type Static, Type } from '@sinclair/typebox'
import { sessionSettings } from '../config.ts'
import type { Log } from '../telemetry/log.ts'
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

const Setting = Type.Object({ setting: Type.String() })

/**
 * Logs a warning for each setting that our sessions ask for and do not have. PgBouncer refuses or drops the start-up
 * options of a connection: the settings belong to the role then (docs/operations.md, "PgBouncer").
 */
export async function warnOfLostSettings(db: Db, log: Log): Promise<void> {
  for (const [name, wanted] of Object.entries(sessionSettings)) {
    const { setting } = await db.one(sql.type(row(Setting))`select current_setting(${name}) as setting`)
    if (setting === wanted) continue
    log.warn({ name, wanted, setting }, 'sessions lack a setting: alter the role or the database')
  }
}
