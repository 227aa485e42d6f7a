import type { Failure } from '../../../shared/schemas/common.ts'

/** An error response of the API. When no response arrived, `status` is 0 and `code` is `no_connection` or `no_session`. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: NonNullable<Failure['error']['details']>
  readonly requestId: string | undefined
  /** Of a request that changes nothing: its details are about filters, not about fields to save. */
  readonly isRead: boolean

  constructor(
    status: number,
    { code, message, details, requestId }: Partial<Failure['error']>,
    isRead = false,
  ) {
    super(message ?? 'Something went wrong. Try again.')
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? 'unknown'
    this.details = details ?? []
    this.requestId = requestId
    this.isRead = isRead
  }

  /** Whether the same request may succeed when it is sent again. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
  }

  /** Whether the worker is still reading levels that the request depends on, which takes a second or two. */
  get isNotReadYet(): boolean {
    return this.code === 'levels_not_read'
  }

  /** Whether the request of an earlier save had this idempotency key, and was stored. */
  get isSavedBefore(): boolean {
    return this.code === 'idempotency_key_reused'
  }
}

export const noConnection = () =>
  new ApiError(0, {
    code: 'no_connection',
    message: 'There is no connection to Quartermaster. Check your network, then try again.',
  })

export const noSession = () =>
  new ApiError(0, {
    code: 'no_session',
    message: 'Your shop admin did not confirm your session. Reload this page.',
  })

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it.'
  // the message of the API is about the key
  if (error.isSavedBefore)
    return 'An earlier save of this form was stored, but its answer was lost. Leave or close the form, look at what was stored, and enter only what is missing.'
  return error.message
}
