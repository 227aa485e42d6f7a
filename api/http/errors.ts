import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../../shared/db/db.ts'
import { AppError, type Fault } from '../../shared/errors.ts'
import type { Failure } from '../../shared/schemas/common.ts'
import type { Log } from '../../shared/telemetry/log.ts'
import { hooklessHeaders } from './headers.ts'

type Answer = {
  status: number
  code: string
  message: string
  details?: readonly Fault[] | undefined
  headers?: Record<string, string>
}

/** A failure of the request itself rather than of what it asks for. `reason` is for the log only. */
export class HttpError extends Error {
  readonly answer: Answer
  readonly reason: string | undefined

  constructor(answer: Answer, reason?: string) {
    super(answer.message)
    this.name = 'HttpError'
    this.answer = answer
    this.reason = reason
  }
}

const statusOf = {
  bad_request: 400,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  unavailable: 503,
} as const satisfies Record<AppError['kind'], number>

const retryAfter = { 'retry-after': '2' }

const answers = {
  invalid_json: { status: 400, code: 'invalid_json', message: 'The body is not valid JSON.' },
  invalid_request: { status: 400, code: 'invalid_request', message: 'The request is not right.' },
  malformed: { status: 400, code: 'invalid_request', message: 'The request is not valid HTTP.' },
  timeout: { status: 408, code: 'request_timeout', message: 'The request did not arrive in time.' },
  too_large: { status: 413, code: 'payload_too_large', message: 'The body is larger than 1 MiB.' },
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
  pdf_too_large: { status: 422, code: 'pdf_too_large', message: 'This order is too large to print.' },
  internal: { status: 500, code: 'internal', message: 'Something went wrong on our side. Try again later.' },
} as const satisfies Record<string, Answer>

/** What the framework and the PDF renderer throw, by code. */
const known: Record<string, Answer> = {
  FST_ERR_HANDLER_TIMEOUT: answers.unavailable,
  FST_ERR_CTP_BODY_TOO_LARGE: answers.too_large,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: answers.media_type,
  FST_ERR_CTP_INVALID_JSON_BODY: answers.invalid_json,
  pdf_too_large: answers.pdf_too_large,
  pdf_queue_full: answers.unavailable,
  pdf_timeout: answers.unavailable,
  pdf_closed: answers.unavailable,
}

/** What Node says of a request that it could not read. */
const unreadable: Record<string, Answer> = {
  HPE_HEADER_OVERFLOW: answers.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: answers.timeout,
}

/** The only place that knows which status an error has on the wire. A bug is logged once, and never shown. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const answer = answerTo(error)
  if (answer.status === 500) request.log.error({ err: error }, 'request failed')
  else if (answer.status === 503) request.log.warn({ err: error }, 'unavailable')
  if (error instanceof HttpError && error.reason) request.log.info({ reason: error.reason }, answer.code)
  return reply
    .code(answer.status)
    .headers(answer.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(failure(answer, request.id))
}

/** Answers a request whose address cannot be read, so that no route and no hook has seen it. */
export function refuseAddress(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendFailure(error, request, reply.headers(hooklessHeaders))
}

/**
 * Answers what is no HTTP, and so reaches no route, in the shape of every other failure, and ends the connection.
 * The log gets the reason alone: the error holds what was sent, tokens and all.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket, log: Log): void {
  const { code: reason = '' } = error
  if (reason === 'ECONNRESET' || !socket.writable) return
  const reqId = randomUUID()
  const answer = unreadable[reason] ?? answers.malformed
  log.info({ reqId, reason }, answer.code)
  const body = JSON.stringify(failure(answer, reqId))
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'connection: close',
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json; charset=utf-8',
    ...Object.entries(hooklessHeaders).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}

function failure({ code, message, details }: Answer, requestId: string): Failure {
  return { success: false, error: { code, message, ...(details && { details: [...details] }), requestId } }
}

function answerTo(error: unknown): Answer {
  if (error instanceof HttpError) return error.answer
  if (error instanceof AppError) {
    const { kind, code, message, details } = error
    const headers = kind === 'unavailable' ? retryAfter : {}
    return { status: statusOf[kind], code, message, details, headers }
  }
  if (isUnavailable(error)) return answers.unavailable
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const answer = known[code]
  if (answer) return answer
  if (error instanceof SyntaxError && statusCode === 400) return answers.invalid_json
  return statusCode >= 400 && statusCode < 500 ? answers.invalid_request : answers.internal
}
