import { totalmem } from 'node:os'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../shared/config.ts'
import { unavailable } from '../../shared/errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route is answered however much there is to do. */
    isNeverShed?: boolean
  }
}

const mebibyte = 1024 * 1024
/** The mean of a second: whoever comes then would wait for many times as long. */
const maxDelayMs = 500
/** A process that has just started has kept its own loop busy. */
const warmUpMs = 5_000
/** The rest is for code, stacks and the threads that make PDFs. */
const shareOfMemory = 0.75
const shareOfHeap = 0.9
/** It stops the process for a tenth of a second or so. */
const collectEveryMs = 2_000

/**
 * Turns away who comes while the process has more to do than it can, before its memory is full: 503, and the platform
 * sends its webhooks again. Routes that are `isNeverShed` are answered. It looks at the memory in use rather
 * than at what the process has from the system, since that does not shrink again and would have it refuse for ever.
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
      const isNew = type === 'eventLoopDelay' && performance.now() < readyAt + warmUpMs
      if (isNew || routeOptions.config.isNeverShed) return
      throw unavailable('The service is busy right now. Try again in a moment.')
    },
  })
}

/**
 * Whether less than `most` bytes are in use. What nobody uses any more counts until it is collected, and a process that
 * refuses everything needs so little that nothing would ever be: so that is asked for first.
 */
function createMemoryCheck(most: number): () => Promise<boolean> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  let collectedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (memoryInUse() >= most && performance.now() - collectedAt > collectEveryMs) {
      collect()
      collectedAt = performance.now()
    }
    return memoryInUse() < most
  }
}

function memoryInUse(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** What the host gives this process, in bytes, as far as the process can find out. */
function memoryLimit({ MEMORY_LIMIT_MB: limit }: Config): number {
  if (limit !== undefined) return limit * mebibyte
  const ofContainer = process.constrainedMemory()
  return ofContainer > 0 ? Math.min(ofContainer, totalmem()) : totalmem()
}
