/** Below this a difference is the way of the answer, and the seconds in which it is told. */
const noticeableMs = 3_000
let aheadMs = 0

/** Learns from an answer what time it is at the API: clocks of devices may be wrong by hours. */
export function noteServerTime(response: Response): void {
  const told = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(told)) return
  const difference = told - Date.now()
  aheadMs = Math.abs(difference) < noticeableMs ? 0 : difference
}

/** A moment of this device's clock, in the time of the API. */
export const serverTime = (at: number): string => new Date(at + aheadMs).toISOString()
