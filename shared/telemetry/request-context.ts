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
 * Which requests work goes back to. It goes with a request and with a job without being an argument of everything in
 * between, and from one to the other as flags of the job: payloads stay as they are, and a worker of the release before
 * takes no notice. Flags are `request:<id>` and `trace:<traceparent>`; of a trace only when tracing is on.
 */

const requests = new AsyncLocalStorage<readonly string[]>()
const requestMark = 'request:'
const traceMark = 'trace:'
const tracer = trace.getTracer('quartermaster')

/** The flags of a job that is enqueued here. */
export function requestFlags(): string[] {
  const carrier: { traceparent?: string } = {}
  propagation.inject(context.active(), carrier)
  return [
    ...(requests.getStore() ?? []).map((id) => requestMark + id),
    ...(carrier.traceparent ? [traceMark + carrier.traceparent] : []),
  ]
}

/** The ids of the requests that a job with these flags goes back to: several when it works for several. */
export const requestIdsIn = (flags: readonly string[]): string[] => marked(flags, requestMark)

/** A request that is being answered. */
export type RequestContext = {
  /** Has all that follows from `work` go back to the request. */
  enter: <T>(work: () => T) => T
  end: (name: string, attributes: Attributes, isFailure: boolean) => void
}

/** To be called when a request comes; its span, when tracing is on, lasts until `end`. */
export function beginRequest(requestId: string): RequestContext {
  const span = tracer.startSpan('request', { kind: SpanKind.SERVER, root: true })
  const within = trace.setSpan(context.active(), span)
  return {
    enter: (work) => context.with(within, () => requests.run([requestId], work)),
    end: (name, attributes, isFailure) => {
      span.updateName(name).setAttributes({ ...attributes, 'request.id': requestId })
      if (isFailure) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    },
  }
}

/**
 * Does an attempt of a job: what it enqueues goes back to the same requests. Its span, when tracing is on, is in the
 * trace of the first of them and linked to those of the others.
 */
export function runJob<T>(
  { name, flags, attributes }: { name: string; flags: readonly string[]; attributes: Attributes },
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const [first = ROOT_CONTEXT, ...others] = marked(flags, traceMark).map((traceparent) =>
    propagation.extract(ROOT_CONTEXT, { traceparent }),
  )
  const links = others.flatMap((other) => trace.getSpanContext(other) ?? []).map((to) => ({ context: to }))
  return requests.run(requestIdsIn(flags), () =>
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

const marked = (flags: readonly string[], mark: string) =>
  flags.filter((flag) => flag.startsWith(mark)).map((flag) => flag.slice(mark.length))
