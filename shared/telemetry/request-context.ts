import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/*
 * The ids and traces of the requests that caused some work: in AsyncLocalStorage within a request or a job, and in the
 * flags of the jobs that it enqueues (`request:<id>`, `trace:<traceparent>`), which an older worker ignores.
 */

const currentRequestIds = new AsyncLocalStorage<readonly string[]>()
const requestPrefix = 'request:'
const tracePrefix = 'trace:'
const tracer = trace.getTracer('quartermaster')

/** The flags of a job that is enqueued in the current request context. */
export function requestFlags(): string[] {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return [
    ...(currentRequestIds.getStore() ?? []).map((id) => requestPrefix + id),
    ...(carrier.traceparent ? [tracePrefix + carrier.traceparent] : []),
  ]
}

/** The ids of the requests that caused a job with these flags. A batch job may have several. */
export const requestIdsIn = (flags: readonly string[]): string[] => valuesOf(flags, requestPrefix)

/** The context of one HTTP request. */
export type RequestContext = {
  /** Runs `work` and everything that it starts in this context. */
  enter: <T>(work: () => T) => T
  end: (name: string, attributes: Attributes, isFailure: boolean) => void
}

/** Call it when a request arrives. When tracing is on, the request's span lasts until `end`. */
export function beginRequest(requestId: string): RequestContext {
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER, root: true })
  const spanContext = trace.setSpan(context.active(), span)
  return {
    enter: (work) => context.with(spanContext, () => currentRequestIds.run([requestId], work)),
    end: (name, attributes, isFailure) => {
      span.updateName(name).setAttributes({ ...attributes, 'request.id': requestId })
      if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/** Jobs that it enqueues inherit the flags. Its span is in the first request's trace, with links to the others. */
export function runJob<T>(
  { name, flags, attributes }: { name: string; flags: readonly string[]; attributes: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const [first = ROOT_CONTEXT, ...others] = valuesOf(flags, tracePrefix).map((traceparent) =>
    propagation.extract(ROOT_CONTEXT, { traceparent }),
  )
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((to) => ({ context: to }))
  return currentRequestIds.run(requestIdsIn(flags), () =>
    tracer.startActiveSpan(name, { kind: SpanKind.CONSUMER, attributes, links }, first, async (span) => {
      try {
        return await work(span)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    }),
  )
}

const valuesOf = (flags: readonly string[], prefix: string) =>
  flags.filter((flag) => flag.startsWith(prefix)).map((flag) => flag.slice(prefix.length))
