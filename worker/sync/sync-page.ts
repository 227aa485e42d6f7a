import type { Db } from '../../shared/db/db.ts'
import type { RunningSync } from '../../shared/domain/catalogue/sync.ts'
import type { SyncCounts } from '../../shared/schemas/sync.ts'
import type { AdminApi } from '../platform/admin-api.ts'

/** What a phase of a sync works with: the platform, the database for reading, and how far the sync has come. */
export type SyncSource = { api: AdminApi; db: Db; shopId: number; sync: RunningSync; signal: AbortSignal }

/** A page of a phase, read and not yet stored. */
export type SyncPage = {
  /** Stores the rows. Answers what has been read by now, as far as this phase counts it. */
  store: (tx: Db) => Promise<Partial<SyncCounts>>
  /** The cursor behind the page; null when it was the phase's last. */
  next: string | null
  /** For the merchant, when something could not be read. */
  reason?: string
}

/** Reads the page at the sync's cursor, with one request to the platform wherever that holds a page. */
export type ReadSyncPage = (source: SyncSource) => Promise<SyncPage>
