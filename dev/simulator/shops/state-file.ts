import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Delivery } from '../webhooks/delivery.ts'
import { type PackedShop, packShop, type ShopState, unpackShop } from './state.ts'

export type PlatformState = { shops: ShopState[]; deliveries: Delivery[] }

export type StateFile = {
  /** The stored state; `undefined` at the first start. Throws when another version wrote it. */
  read: () => Promise<PlatformState | undefined>
  write: (state: PlatformState) => Promise<void>
}

type Packed = { version: 1; shops: PackedShop[]; deliveries: Delivery[] }

/** A single file. Writes to another name, flushes and renames, so that it is always complete. */
export function openStateFile(folder: string): StateFile {
  const path = join(folder, 'platform.json')
  return {
    async read() {
      await mkdir(folder, { recursive: true })
      await rm(`${path}.part`, { force: true })
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      if (text === undefined) return undefined
      const { version, shops, deliveries }: Packed = JSON.parse(text)
      if (version !== 1)
        throw new Error(
          `${path} was written by another version of the simulator: delete it to start with new shops`,
        )
      return { shops: shops.map(unpackShop), deliveries }
    },
    async write({ shops, deliveries }) {
      const packed: Packed = { version: 1, shops: shops.map(packShop), deliveries }
      const file = await open(`${path}.part`, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify(packed))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(`${path}.part`, path)
    },
  }
}

export type StateWriter = {
  changed: () => void
  /** Writes pending changes, then stops. */
  close: () => Promise<void>
}

/**
 * Writes after a delay, so that many changes become one write. The delay is ten times the duration of the last
 * write: writing takes at most a tenth of the time.
 */
export function createStateWriter(
  write: () => Promise<void>,
  onError: (error: unknown) => void,
): StateWriter {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isDirty = false
  let isClosed = false
  let pauseMs = 100

  async function writeNow(): Promise<void> {
    if (!isDirty) return
    isDirty = false
    const startedAt = performance.now()
    await write()
    pauseMs = Math.max(100, (performance.now() - startedAt) * 10)
  }

  function schedule(): void {
    if (timer || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      writing = writing.then(writeNow).catch((error: unknown) => {
        isDirty = true
        onError(error)
      })
    }, pauseMs)
  }

  return {
    changed() {
      isDirty = true
      schedule()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeNow()
    },
  }
}
