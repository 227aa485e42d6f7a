import type { Failure } from '../../../shared/schemas/common.ts'

/** A failure as the API tells it, or one of the way there (`code` is then `no_connection`). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly details: NonNullable<Failure['error']['details']>
  readonly requestId: string | undefined

  constructor(status: number, { code, message, details, requestId }: Partial<Failure['error']>) {
    super(message ?? 'Something went wrong. Try again.')
    this.name = 'ApiError'
    this.status = status
    this.code = code ?? 'unknown'
    this.details = details ?? []
    this.requestId = requestId
  }

  /** Whether the same request may go through when it is made again. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500
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
    message: 'Your shop admin did not say who you are. Load this page again.',
  })

/** What to tell a person about any failure. */
export const sentenceOf = (error: unknown): string =>
  error instanceof ApiError ? error.message : 'Something went wrong on this page. Load it again.'
