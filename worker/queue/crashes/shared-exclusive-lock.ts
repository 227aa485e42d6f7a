export type LockMode = 'shared' | 'exclusive'

export type SharedExclusiveLock = {
  /** Resolves with the function that releases the lock. Rejects with the reason of `signal` when it aborts first. */
  acquire: (mode: LockMode, signal: AbortSignal) => Promise<() => void>
}

/**
 * A lock inside this process, acquired in the order of arrival, so shared holders cannot starve an exclusive request:
 *   shared     a shared request acquires, unless another one waits; an exclusive request waits for all releases
 *   exclusive  every request waits for the release
 */
export function createSharedExclusiveLock(): SharedExclusiveLock {
  const waiting: { mode: LockMode; grant: () => void }[] = []
  let holders = 0
  let isExclusive = false

  function grantNext(): void {
    for (let next = waiting[0]; next && canGrant(next.mode); next = waiting[0]) {
      waiting.shift()
      holders += 1
      isExclusive = next.mode === 'exclusive'
      next.grant()
    }
  }

  const canGrant = (mode: LockMode) => !isExclusive && (holders === 0 || mode === 'shared')

  function release(): void {
    holders -= 1
    isExclusive = false
    grantNext()
  }

  return {
    async acquire(mode, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const request = { mode, grant: resolve }
      const abort = () => {
        const at = waiting.indexOf(request)
        if (at === -1) return
        waiting.splice(at, 1)
        reject(signal.reason)
        grantNext()
      }
      waiting.push(request)
      signal.addEventListener('abort', abort)
      grantNext()
      await promise.finally(() => signal.removeEventListener('abort', abort))
      return release
    },
  }
}
