import type { Count, CountedJob, CountOrder } from './counted-job.ts'

/**
 * Counts jobs in a worker process. The returned function is called by each job; after the number of jobs that the
 * parent process ordered, the count goes to the parent. The process exits when its parent does.
 */
export function countJobs(): (job: CountedJob) => void {
  let ordered = Number.POSITIVE_INFINITY
  let runs = 0
  const seen = new Set<number>()
  process.on('message', ({ jobs }: CountOrder) => {
    ordered = jobs
    runs = 0
    seen.clear()
    process.send?.('counting')
  })
  process.on('disconnect', () => process.exit())
  return ({ at }) => {
    runs += 1
    seen.add(at)
    const count: Count = { runs, distinct: seen.size }
    if (runs === ordered) process.send?.(count)
  }
}
