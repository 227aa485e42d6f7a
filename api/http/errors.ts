import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../shared/db/db.ts'
import { AppError, type Fault } from '../../shared/errors.ts'
import type { Failure } from '../../shared/schemas/common.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import { hooklessHeaders } from './headers.ts'

type FailureResponse = {
  status: number
  code: string
  message: string
  details?: readonly Fault[] | undefined
  headers?: Record<string, string>
}

/** A failure of the HTTP request, not of the domain. `reason` goes to the log only. */
export class HttpError extends Error {
  readonly response: FailureResponse
  readonly reason: string | undefined

  constructor(response: FailureResponse, reason?: string) {
    super(response.message)
    this.name = 'HttpError'
    this.response = response
    this.reason = reason
  }
}

/** The client may repeat the request after `seconds`. */
export function tooManyRequests(seconds: number): HttpError {
  const message = `Too many requests. Try again in ${seconds} seconds.`
  return new HttpError({
    status: 429,
    code: 'rate_limited',
    message,
    headers: { 'retry-after': String(seconds) },
  })
}

const statusOf = {
  bad_request: 400,
  not_found: 404,
  conflict: 409,
  not_yet: 409,
  unprocessable: 422,
  unavailable: 503,
} as const satisfies Record<AppError['kind'], number>

const retryAfter = { 'retry-after': '2' }

const failures = {
  invalid_json: { status: 400, code: 'invalid_json', message: 'The body is not valid JSON.' },
  invalid_request: { status: 400, code: 'invalid_request', message: 'Invalid request.' },
  malformed: { status: 400, code: 'invalid_request', message: 'Invalid HTTP request.' },
  timeout: {
    status: 408,
    code: 'request_timeout',
    message: 'The request did not arrive in time. Send it again.',
  },
  too_large: { status: 413, code: 'payload_too_large', message: 'The body is larger than 1 MiB.' },
  encoded: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'The body must not be compressed: send it without Content-Encoding.',
    headers: { 'accept-encoding': 'identity' },
  },
  expectation: {
    status: 417,
    code: 'expectation_failed',
    message: 'The only supported value of Expect is 100-continue.',
  },
  no_host: { status: 400, code: 'invalid_request', message: 'The request needs one Host header.' },
  media_type: { status: 415, code: 'unsupported_media_type', message: 'The body must be application/json.' },
  headers_too_large: {
    status: 431,
    code: 'headers_too_large',
    message: 'The headers of the request are larger than 16 KiB.',
  },
  unavailable: {
    status: 503,
    code: 'unavailable',
    message: 'The service is busy right now. Try again in a moment.',
    headers: retryAfter,
  },
  pdf_too_large: {
    status: 422,
    code: 'pdf_too_large',
    message: 'This document is too large for a PDF. Split it into smaller ones.',
  },
  internal: { status: 500, code: 'internal', message: 'Something went wrong on our side. Try again later.' },
} as const satisfies Record<string, FailureResponse>

const failureByCode: Record<string, FailureResponse> = {
  FST_ERR_HANDLER_TIMEOUT: failures.unavailable,
  FST_ERR_CTP_BODY_TOO_LARGE: failures.too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: failures.media_type,
  FST_ERR_CTP_INVALID_JSON_BODY: failures.invalid_json,
  pdf_too_large: failures.pdf_too_large,
  pdf_queue_full: failures.unavailable,
  pdf_timeout: failures.unavailable,
  pdf_closed: failures.unavailable,
}

const parserFailureByCode: Record<string, FailureResponse> = {
  HPE_HEADER_OVERFLOW: failures.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: failures.timeout,
}

/** The only place that maps errors to status codes. An unexpected error is logged once, and its text is not sent. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const response = withOwnLimit(responseTo(error), request)
  if (response.status === 500) request.log.error({ err: error }, 'request failed')
  else if (response.status === 503) request.log.warn({ err: error }, 'unavailable')
  if (error instanceof HttpError && error.reason) request.log.info({ reason: error.reason }, response.code)
  return reply
    .code(response.status)
    .headers(response.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(bodyOf(response, request.id))
}

/** A route with a limit of its own says what is too large. */
function withOwnLimit(response: FailureResponse, { routeOptions }: FastifyRequest): FailureResponse {
  const { maxBody } = routeOptions?.config?.endpoint ?? {}
  return response === failures.too_large && maxBody ? { ...response, message: maxBody.message } : response
}

/** Refuses what Node would refuse with a response of another shape, and bodies that no parser reads. */
export function refuseProtocol({ headers, raw }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new HttpError(failures.encoded)
  if (raw.httpVersion === '1.1' && headers.host === undefined) throw new HttpError(failures.no_host)
}

/** Answers an `Expect` that Node does not know; no route and no hook runs for it. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status } = failures.expectation
  const body = JSON.stringify(bodyOf(failures.expectation, randomUUID()))
  response
    .writeHead(status, {
      ...hooklessHeaders,
      'content-length': Buffer.byteLength(body),
      'content-type': 'application/json; charset=utf-8',
    })
    .end(body)
}

/** Responds to a request whose URL cannot be decoded. No route and no hook runs for it. */
export function refuseAddress(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFailure(error, request, reply.headers(hooklessHeaders))
}

/** Answers malformed HTTP and closes the connection. Logs no received bytes: they may include a token. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, log: Log): void {
  const { code: reason = '' } = error
  if (reason === 'ECONNRESET' || !socket.writable) return
  const reqId = randomUUID()
  const response = parserFailureByCode[reason] ?? failures.malformed
  log.info({ reqId, reason }, response.code)
  const body = JSON.stringify(bodyOf(response, reqId))
  const head = [
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json; charset=utf-8',
    ...Object.entries(hooklessHeaders).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

function bodyOf({ code, message, details }: FailureResponse, requestId: string): Failure {
  return { success: false, error: { code, message, ...(details && { details: [...details] }), requestId } }
}

function responseTo(error: unknown): FailureResponse {
  if (error instanceof HttpError) return error.response
  if (error instanceof AppError) {
    const { kind, code, message, details } = error
    const headers = kind === 'unavailable' || kind === 'not_yet' ? retryAfter : {}
    return { status: statusOf[kind], code, message, details, headers }
  }
  if (isUnavailable(error)) return failures.unavailable
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = failureByCode[code]
  if (known) return known
  if (error instanceof SyntaxError && statusCode === 400) return failures.invalid_json
  return statusCode >= 400 && statusCode < 500 ? failures.invalid_request : failures.internal
}
