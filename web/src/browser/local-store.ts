import { adminUrl } from './host.ts'

export type LocalStore<T> = {
  all: () => [name: string, value: T][]
  put: (name: string, value: T) => void
  /** Removes a value; with `condition` only when the stored value meets it. */
  remove: (name: string, condition?: (value: T) => boolean) => void
  /** Whether the values outlive the page: not in a browser that blocks storage, or whose storage is full. */
  isDurable: () => boolean
}

/** One storage key per value, so that two tabs do not overwrite each other; in memory if frames get no storage. */
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
    isDurable: () => storage.isDurable(prefix),
  }
}

type StorageArea = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & {
  keys: () => string[]
  isDurable: (prefix: string) => boolean
}

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
    isDurable: (prefix) => storage !== undefined && ![...memory.keys()].some((key) => key.startsWith(prefix)),
  }
}

function browserStorage(): Storage | undefined {
  try {
    return window.localStorage
  } catch {
    return undefined
  }
}
