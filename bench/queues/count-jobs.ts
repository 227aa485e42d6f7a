import type { Count, CountedJob, CountOrder } from './counted-job.ts'

/**
 * For the process of a worker: answers what each job calls, and tells the parent process when as many have run as it
 * has asked for. Ends the process with its parent, whatever became of that.
 */
export function countJobs(): (job: CountedJob) => void {
  let wanted = Number.POSITIVE_INFINITY
  let runs = 0
  const seen = new Set<number>()
  process.on('message', ({ jobs }: CountOrder) => {
    wanted = jobs
    runs = 0
    seen.clear()
    process.send?.('counting')
  })
  process.on('disconnect', () => process.exit())
  return ({ at }) => {
    runs += 1
    seen.add(at)
    const count: Count = { runs, distinct: seen.size }
    if (runs === wanted) process.send?.(count)
  }
}
