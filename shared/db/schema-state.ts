import { type Static, Type } from '@sinclair/typebox'
import { sessionSettings } from '../config.ts'
import type { Log } from '../telemetry/log.ts'
import { type Db, row, sql } from './db.ts'
import { readFunctionFiles } from './function-files.ts'

/** The newest migration that this release knows. Raise it with each new file in `db/migrations/`. */
export const schemaVersion = 119

const Existence = Type.Object({ exists: Type.Boolean() })
const Version = Type.Object({ version: Type.Integer() })
type Version = Static<typeof Version>

async function hasTable(db: Db, name: string): Promise<boolean> {
  const { exists } = await db.one(sql.type(row(Existence))`select to_regclass(${name}) is not null as exists`)
  return exists
}

/** The newest applied migration; 0 before the first. */
export async function readSchemaVersion(db: Db): Promise<number> {
  if (!(await hasTable(db, 'schema_migration'))) return 0
  const { version }: Version = await db.one(sql.type(row(Version))`
    select coalesce(max(version), 0) as version from schema_migration
  `)
  return version
}

/**
 * Throws unless the database is at this release's migration, and has had all of its SQL functions; those of a newer release may
 * have replaced them, with the same parameters. The message names the required action.
 */
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
  const [missing] = await missingFunctions(db)
  if (missing !== undefined) {
    throw new Error(
      `The database does not have the SQL function ${missing} of this release: run "npm run migrate" first.`,
    )
  }
}

const AppliedFunction = Type.Object({ name: Type.String(), hash: Type.String() })

/** The functions whose text of this release was never applied. */
async function missingFunctions(db: Db): Promise<string[]> {
  const rows = (await hasTable(db, 'schema_function'))
    ? await db.any(sql.type(row(AppliedFunction))`select name, hash from schema_function`)
    : []
  const applied = new Set(rows.map(({ name, hash }) => `${name} ${hash}`))
  const files = await readFunctionFiles()
  return files.filter(({ name, hash }) => !applied.has(`${name} ${hash}`)).map(({ name }) => name)
}

const Setting = Type.Object({ setting: Type.String() })

/** PgBouncer drops start-up options: set them on the role instead (docs/operations.md, "PgBouncer"). */
export async function warnOfLostSettings(db: Db, log: Log): Promise<void> {
  for (const [name, wanted] of Object.entries(sessionSettings)) {
    const { setting } = await db.one(sql.type(row(Setting))`select current_setting(${name}) as setting`)
    if (setting === wanted) continue
    log.warn({ name, wanted, setting }, 'sessions lack a setting: set it on the role or the database')
  }
}
