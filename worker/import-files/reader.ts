import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { limits } from './limits.ts'
import type { FileToRead, ReadResult } from './read-thread.ts'

export type ImportFileReader = {
  /** Reads the tables of a file, or says what is wrong with it. Rejects only when `signal` aborts. */
  read(file: FileToRead, options?: { signal?: AbortSignal }): Promise<ReadResult>
  close(): Promise<void>
}

const threadMemoryMb = 512
const youngMemoryMb = 8

/**
 * Creates a reader that parses in one thread, so that a hostile file blocks neither the heartbeat nor other jobs. A file
 * that takes longer than `timeoutMs` or more memory than the thread has ends the thread; the next file gets a new one.
 */
export function createImportFileReader({
  timeoutMs = 30_000,
  idleTimeoutMs = 1_000,
}: {
  timeoutMs?: number
  idleTimeoutMs?: number
} = {}): ImportFileReader {
  const pool = new Piscina<FileToRead, ReadResult>({
    filename: fileURLToPath(new URL('./read-thread.ts', import.meta.url)),
    name: 'readImportFile',
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleTimeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: threadMemoryMb, maxYoungGenerationSizeMb: youngMemoryMb },
    // The thread handles untrusted bytes, so it gets no secrets and no flags of this process.
    env: {},
    execArgv: [],
  })
  // One file at a time: the timeout is that of the reading, without the wait for the thread.
  let last: Promise<unknown> = Promise.resolve()
  pool.on('error', () => {})

  async function readAlone(file: FileToRead, signal?: AbortSignal): Promise<ReadResult> {
    signal?.throwIfAborted()
    if (file.bytes.length > limits.bytes)
      return {
        fault: `This file is larger than ${limits.bytes / 1024 / 1024} MB. Split it into smaller files.`,
      }
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await pool.run(file, {
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
        // moved, not copied; a Buffer may share its memory with others
        transferList: Buffer.isBuffer(file.bytes) ? [] : [file.bytes.buffer as ArrayBuffer],
      })
    } catch (error) {
      if (signal?.aborted) throw error
      const fault = timeout.aborted
        ? 'This file takes too long to read. Split it into smaller files.'
        : 'This file could not be read. Save it as CSV, and add that file.'
      return { fault }
    }
  }

  return {
    read(file, { signal } = {}) {
      const result = last.then(() => readAlone(file, signal))
      last = result.catch(() => {})
      return result
    },
    close: () => pool.destroy(),
  }
}
