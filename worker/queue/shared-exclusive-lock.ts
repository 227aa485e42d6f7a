export type Gate = {
  /**
   * Waits until it may go in, in the order of arrival, and answers what lets it out. Throws when `signal` aborts
   * meanwhile.
   */
  enter: (isAlone: boolean, signal: AbortSignal) => Promise<() => void>
}

/** Many may be inside together, or one alone. Who waits to be alone holds up those that come after. */
export function createSharedExclusiveLock(): Gate {
  const waiting: { isAlone: boolean; letIn: () => void }[] = []
  let inside = 0
  let isTaken = false

  function letInWhoMay(): void {
    for (let next = waiting[0]; next && !isTaken && (inside === 0 || !next.isAlone); next = waiting[0]) {
      waiting.shift()
      inside += 1
      isTaken = next.isAlone
      next.letIn()
    }
  }

  function leave(): void {
    inside -= 1
    isTaken = false
    letInWhoMay()
  }

  return {
    async enter(isAlone, signal) {
      signal.throwIfAborted()
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const place = { isAlone, letIn: resolve }
      const giveUp = () => {
        const at = waiting.indexOf(place)
        if (at === -1) return
        waiting.splice(at, 1)
        reject(signal.reason)
        letInWhoMay()
      }
      waiting.push(place)
      signal.addEventListener('abort', giveUp)
      letInWhoMay()
      await promise.finally(() => signal.removeEventListener('abort', giveUp))
      return leave
    },
  }
}
