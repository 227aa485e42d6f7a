import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Delivery } from '../webhooks/delivery.ts'
import { type PackedShop, packShop, type ShopState, unpackShop } from './state.ts'

export type PlatformState = { shops: ShopState[]; deliveries: Delivery[] }

export type StateFile = {
  /** What was kept; `undefined` at the first start. Throws when another version has kept it. */
  read: () => Promise<PlatformState | undefined>
  write: (state: PlatformState) => Promise<void>
}

type Packed = { version: 1; shops: PackedShop[]; deliveries: Delivery[] }

/** One file that is complete or not there: written beside its place, flushed, and moved. */
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
        throw new Error(`${path} is of another version of the simulator: delete it to begin anew`)
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

export type Keeper = {
  changed: () => void
  /** Writes what has changed, and nothing more after that. */
  close: () => Promise<void>
}

/**
 * Writes some time after a change, so that many changes are one write. The more there is to write, the more seldom:
 * a tenth of the time at most goes into it.
 */
export function createKeeper(write: () => Promise<void>, failed: (error: unknown) => void): Keeper {
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let isDirty = false
  let isClosed = false
  let pauseMs = 100

  async function writeNow(): Promise<void> {
    if (!isDirty) return
    isDirty = false
    const begun = performance.now()
    await write()
    pauseMs = Math.max(100, (performance.now() - begun) * 10)
  }

  function later(): void {
    if (timer || isClosed) return
    timer = setTimeout(() => {
      timer = undefined
      writing = writing.then(writeNow).catch((error: unknown) => {
        isDirty = true
        failed(error)
      })
    }, pauseMs)
  }

  return {
    changed() {
      isDirty = true
      later()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await writing
      await writeNow()
    },
  }
}
