import type { Db } from '../../shared/db/db.ts'
import type { RunningSync } from '../../shared/domain/exchange/sync/sync.ts'
import type { SyncCounts } from '../../shared/schemas/sync.ts'
import type { AdminApi } from '../platform/admin-api.ts'

type SyncSource = { api: AdminApi; db: Db; shopId: number; sync: RunningSync; signal: AbortSignal }

export type SyncPage = {
  /** Stores the rows. Returns the counts of this phase, with all its pages up to this one. */
  store: (tx: Db) => Promise<Partial<SyncCounts>>
  /** The cursor after the page; null when it was the last of the phase. */
  next: string | null
  /** Shown to the merchant when data could not be read. */
  reason?: string
}

/** Reads the page at the sync's cursor, with one request where possible. */
export type ReadSyncPage = (source: SyncSource) => Promise<SyncPage>
