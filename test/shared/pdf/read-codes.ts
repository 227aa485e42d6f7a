import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import t from 'tap'

/** `cell` is the place on the page: 0 is the top left. */
export type ReadCode = { format: string; text: string; page: number; cell: number }
export type CodesToRead = { file: Uint8Array; columns: number; rows: number }

/** In a thread, since web in this process refuses requests while the event loop is blocked (`api/http/shedding.ts`). */
const pool = new Piscina<CodesToRead, ReadCode[]>({
  filename: fileURLToPath(new URL('./read-codes-thread.ts', import.meta.url)),
  name: 'readCodes',
  minThreads: 0,
  maxThreads: 1,
})
t.teardown(() => pool.destroy())

/** Reads the barcodes of each cell of each page, as a scanner reads one label. Cells are in reading order. */
export const readCodes = (file: Uint8Array, { columns = 1, rows = 1 } = {}): Promise<ReadCode[]> =>
  pool.run({ file, columns, rows })
