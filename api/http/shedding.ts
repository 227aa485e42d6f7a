import { totalmem } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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
/** The mean event loop delay of one second. A request runs many turns of the loop, so it waits many times longer. */
const maxDelayMs = 500
/** Starting the process blocks the event loop, which is not load. */
const warmUpMs = 5_000
/** The rest is for code, stacks and the PDF threads. */
const shareOfMemory = 0.75
const shareOfHeap = 0.9
/** A collection blocks the process for about 0.1 s. */
const collectEveryMs = 2_000

/**
 * Refuses requests with 503 while the process is overloaded or short of memory; the platform retries its webhooks.
 * Routes with `isNeverShed` still answer. It measures the memory in use, not the resident size: the resident size
 * does not shrink again, so the process would refuse requests forever.
 */
export async function shedLoad(app: FastifyInstance, config: Config): Promise<void> {
  let readyAt = 0
  app.addHook('onReady', async () => {
    readyAt = performance.now()
  })
  await app.register(underPressure, {
    sampleInterval: 1_000,
    maxEventLoopDelay: maxDelayMs,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * shareOfHeap,
    healthCheck: createMemoryCheck(memoryLimit(config) * shareOfMemory),
    healthCheckInterval: 250,
    pressureHandler: ({ routeOptions }, _reply, type) => {
      const isWarmingUp = type === 'eventLoopDelay' && performance.now() < readyAt + warmUpMs
      if (isWarmingUp || routeOptions.config.isNeverShed) return
      throw unavailable('The service is busy right now. Try again in a moment.')
    },
  })
}

/** Garbage counts until it is collected, so the check forces a collection before it returns false. */
function createMemoryCheck(maxBytes: number): () => Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let collectedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (memoryInUse() >= maxBytes && performance.now() - collectedAt > collectEveryMs) {
      collect()
      collectedAt = performance.now()
    }
    return memoryInUse() < maxBytes
  }
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** The memory in bytes that this process may use: MEMORY_LIMIT_MB, else the container's limit, else all memory. */
function memoryLimit({ MEMORY_LIMIT_MB: limit }: Config): number {
  if (limit !== undefined) return limit * mebibyte
  const containerLimit = process.constrainedMemory()
  return containerLimit > 0 ? Math.min(containerLimit, totalmem()) : totalmem()
}
