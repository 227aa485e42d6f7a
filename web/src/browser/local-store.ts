import { adminUrl } from './host.ts'

/** Named values, stored on this device. */
export type LocalStore<T> = {
  all: () => [name: string, value: T][]
  put: (name: string, value: T) => void
  /** Removes a value; with `condition` only when the stored value meets it. */
  remove: (name: string, condition?: (value: T) => boolean) => void
}

/**
 * Opens the store of a shop on this device; values outlive a page load. Each value has its own storage key, so that two
 * tabs do not overwrite each other's values. If the browser allows no storage in frames, values last until the page closes.
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
    remove: (name, condition) => {
      const value = read(prefix + name)
      if (value !== undefined && (condition?.(value) ?? true)) storage.removeItem(prefix + name)
    },
  }
}

type StorageArea = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { keys: () => string[] }

/** Values that could not be written to storage: it is full, or the browser does not allow it. */
const memory = new Map<string, string>()

function usableStorage(): StorageArea {
  const storage = browserStorage()
  return {
    keys: () => [...new Set([...Object.keys(storage ?? {}), ...memory.keys()])],
    getItem: (key) => memory.get(key) ?? storage?.getItem(key) ?? null,
    setItem: (key, text) => {
      memory.delete(key)
      try {
        if (!storage) throw new Error('Storage is not available')
        storage.setItem(key, text)
      } catch {
        memory.set(key, text)
      }
    },
    removeItem: (key) => {
      memory.delete(key)
      storage?.removeItem(key)
    },
  }
}

function browserStorage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
