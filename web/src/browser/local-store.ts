import { adminUrl } from './host.ts'

/** Values by their names, kept on this device. */
export type LocalStore<T> = {
  all: () => [name: string, value: T][]
  put: (name: string, value: T) => void
  /** Takes a value out; with `isThat` only when it is still the one that is meant. */
  remove: (name: string, isThat?: (value: T) => boolean) => void
}

/**
 * What this device keeps of a shop, also when the page is loaded again. Each value lies for itself, so that two tabs do
 * not overwrite each other's. Where a browser allows no storage in frames, it is kept as long as the page is open.
 */
export function openLocalStore<T>(label: string): LocalStore<T> {
  const storage = usableStorage()
  const prefix = `quartermaster ${adminUrl} ${label} `
  const read = (key: string): T | undefined => {
    const text = storage.getItem(key)
    return text === null ? undefined : JSON.parse(text)
  }
  return {
    all: () =>
      storage
        .keys()
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => {
          const value = read(key)
          return value === undefined ? [] : [[key.slice(prefix.length), value]]
        }),
    put: (name, value) => storage.setItem(prefix + name, JSON.stringify(value)),
    remove: (name, isThat) => {
      const value = read(prefix + name)
      if (value !== undefined && (isThat?.(value) ?? true)) storage.removeItem(prefix + name)
    },
  }
}

type StorageArea = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { keys: () => string[] }

/** Values that storage has no room for, or may not hold. */
const memory = new Map<string, string>()

function usableStorage(): StorageArea {
  const stored = storageOrNothing()
  return {
    keys: () => [...new Set([...Object.keys(stored ?? {}), ...memory.keys()])],
    getItem: (key) => memory.get(key) ?? stored?.getItem(key) ?? null,
    setItem: (key, text) => {
      memory.delete(key)
      try {
        if (!stored) throw new Error('There is no storage')
        stored.setItem(key, text)
      } catch {
        memory.set(key, text)
      }
    },
    removeItem: (key) => {
      memory.delete(key)
      stored?.removeItem(key)
    },
  }
}

function storageOrNothing(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
