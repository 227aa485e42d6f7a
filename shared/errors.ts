/** One fault of an input: the field (a JSON pointer such as `/lineItems/0/quantity`) and the rule that it breaks. */
export type Fault = { path: string; message: string } & FaultSubject

/** What a fault is about, for a caller that acts on it: another order, or a line of the order with its outstanding pieces. */
type FaultSubject = {
  purchaseOrderId?: number
  poNumber?: string
  lineItemId?: number
  outstanding?: number
}

/** An error whose message is sent to the caller. Only `api/http/errors.ts` maps its kind to an HTTP status. */
export class AppError extends Error {
  readonly kind: 'bad_request' | 'not_found' | 'conflict' | 'not_yet' | 'unprocessable' | 'unavailable'
  readonly code: string
  readonly details: readonly Fault[] | undefined

  constructor(kind: AppError['kind'], code: string, message: string, details?: readonly Fault[]) {
    super(message)
    this.name = 'AppError'
    this.kind = kind
    this.code = code
    this.details = details
  }
}

/** The input does not match its schema. `details` lists every fault. */
export const badRequest = (details: readonly Fault[]) =>
  new AppError('bad_request', 'invalid_request', 'Some values in the request are invalid.', details)

/** This shop has no such record. The message is the same when the record belongs to another shop. */
export const notFound = (what: string) => new AppError('not_found', 'not_found', `${what} not found.`)

/** The record exists, but its state does not allow the change. The message suggests what to do instead. */
export const conflict = (message: string, code = 'conflict') => new AppError('conflict', code, message)

/**
 * The worker has not read levels yet that the request depends on; the caller repeats it after `Retry-After`. What the
 * request stored before stays, so the repeated one finds it.
 */
export const levelsNotRead = (message: string, details?: readonly Fault[]) =>
  new AppError('not_yet', 'levels_not_read', message, details)

/** The input matches its schema, but it names a record that does not exist, or breaks a business rule. */
export const unprocessable = (code: string, message: string, details?: readonly Fault[]) =>
  new AppError('unprocessable', code, message, details)

/** Throws `unprocessable` when there are faults. */
export function refuseFaults(code: string, message: string, faults: readonly Fault[]): void {
  if (faults.length > 0) throw unprocessable(code, message, faults)
}

/** The service cannot handle the request now; the caller may retry soon. */
export const unavailable = (message: string) => new AppError('unavailable', 'unavailable', message)
