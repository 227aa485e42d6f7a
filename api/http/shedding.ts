import type { ServerResponse } from 'node:http'
import { totalmem } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { unavailable } from '../../shared/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers under any load. */
    isNeverShed?: boolean
  }
}

const mebibyte = 1024 * 1024
const sampleMs = 1_000
/** Starting the process blocks the event loop, which is not load. */
const warmUpMs = 5_000
/** The rest is for code, objects, the PDF threads, and the bytes of past requests that V8 has not collected yet. */
const shareOfMemory = 0.4
const shareOfHeap = 0.9

/**
 * Refuses requests with 503 while the process is overloaded or short of memory; the platform retries its webhooks.
 * Routes with `isNeverShed` still answer. It counts the bytes of running requests, which are what fills the memory. The
 * memory in use would include garbage: V8 does not collect it while the process refuses everything.
 */
export async function shedLoad(app: FastifyInstance, config: Config): Promise<void> {
  let readyAt = 0
  app.addHook('onReady', async () => {
    readyAt = performance.now()
  })
  const maxBytes = memoryLimit(config) * shareOfMemory
  const bytesInMemory = trackBytes(app)
  await app.register(underPressure, {
    sampleInterval: sampleMs,
    // a request runs many turns of the loop, so it waits many times longer than the mean delay
    maxEventLoopDelay: config.MAX_EVENT_LOOP_DELAY_MS,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * shareOfHeap,
    healthCheck: async () => bytesInMemory() < maxBytes,
    healthCheckInterval: 250,
    pressureHandler: ({ routeOptions }, _reply, type, delayMs = 0) => {
      const isWarmingUp = performance.now() < readyAt + warmUpMs
      // a loop that was blocked for the whole interval has no sample, and its mean is infinite
      const isAllowed = Math.min(Number(delayMs), sampleMs) <= config.MAX_EVENT_LOOP_DELAY_MS
      if (type === 'eventLoopDelay' && (isWarmingUp || isAllowed)) return
      if (routeOptions.config.isNeverShed) return
      throw unavailable('The service is busy right now. Try again in a moment.')
    },
  })
}

/** Returns a function that sums what running requests have received, and what clients have not read of responses. */
function trackBytes(app: FastifyInstance): () => number {
  const running = new Map<ServerResponse, { bytesBefore: number }>()
  app.server.on('request', ({ socket }, response) => {
    running.set(response, { bytesBefore: socket.bytesRead })
    response.once('close', () => running.delete(response))
  })
  return () => {
    let bytes = 0
    for (const [response, { bytesBefore }] of running) {
      bytes += response.req.socket.bytesRead - bytesBefore + response.writableLength
    }
    return bytes
  }
}

/** The memory in bytes that this process may use: MEMORY_LIMIT_MB, else the container's limit, else all memory. */
export function memoryLimit({ MEMORY_LIMIT_MB: limit }: Config): number {
  if (limit !== undefined) return limit * mebibyte
  const containerLimit = process.constrainedMemory()
  return containerLimit > 0 ? Math.min(containerLimit, totalmem()) : totalmem()
}
