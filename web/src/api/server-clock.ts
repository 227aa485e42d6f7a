/** The `date` header has whole seconds and the response takes time, so a smaller difference is ignored. */
const minDifferenceMs = 3_000
let aheadMs = 0

/** Measures from a response how far the clock of the API is ahead: the clock of a device may be wrong by hours. */
export function updateServerClock(response: Response): void {
  const serverMs = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(serverMs)) return
  const difference = serverMs - Date.now()
  aheadMs = Math.abs(difference) < minDifferenceMs ? 0 : difference
}

/** Converts a timestamp of this device's clock (ms) to the time of the API. */
export const toServerTime = (at: number): string => new Date(at + aheadMs).toISOString()
