/** One fault of an input: where (a JSON pointer such as `/lineItems/0/quantity`) and which rule it breaks. */
export type Fault = { path: string; message: string }

/** What a caller may be told. `api/http/errors.ts` turns the kind into a status; nothing else knows statuses. */
export class AppError extends Error {
  readonly kind: 'bad_request' | 'not_found' | 'conflict' | 'unprocessable' | 'unavailable'
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

/** The input does not have the right shape: every fault is listed. */
export const badRequest = (details: readonly Fault[]) =>
  new AppError('bad_request', 'invalid_request', 'Some of the values sent are not right.', details)

/** No such record in this shop. Says the same when the record belongs to another shop. */
export const notFound = (what: string) => new AppError('not_found', 'not_found', `${what} not found.`)

/** The record is there, but its state does not allow this. The message says what to do instead. */
export const conflict = (message: string, code = 'conflict') => new AppError('conflict', code, message)

/** The shape is right, but it names something that is not there or breaks a rule. */
export const unprocessable = (code: string, message: string, details?: readonly Fault[]) =>
  new AppError('unprocessable', code, message, details)

/** Nothing is wrong with the request; it may be tried again soon. */
export const unavailable = (message: string) => new AppError('unavailable', 'unavailable', message)
