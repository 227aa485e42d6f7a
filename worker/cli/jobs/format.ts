import type { QueueJob } from '../../../shared/domain/kit/operations/jobs.ts'
import { payloadIds } from '../../../shared/queue/payload-ids.ts'
import type { Scrub } from '../../../shared/telemetry/scrub.ts'

/** Error texts may contain e-mail addresses, which operators do not need. */
const email = /(?<![^\s"\\<>@,;:])[^\s"\\<>@,;:]+@[^\s"\\<>@,;:]+\.[a-z]{2,}/gi

/** Removes secrets, e-mail addresses and terminal control characters from printed lines. */
export const createOutputScrub =
  (scrub: Scrub) =>
  (line: string): string =>
    scrub(line)
      .replace(email, '[e-mail]')
      .replace(/\p{Control}/gu, ' ')

/** A duration in its largest unit: 90 s is `1m`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole}s`
  if (whole < 3_600) return `${Math.floor(whole / 60)}m`
  return whole < 172_800 ? `${Math.floor(whole / 3_600)}h` : `${Math.floor(whole / 86_400)}d`
}

export const ago = (instant: string) => `${duration((Date.now() - Date.parse(instant)) / 1000)} ago`

/** For the column WHEN: since when a job runs or has failed, or when it is due. */
export function formatWhen({ state, runAt, lockedAt, updatedAt }: Omit<QueueJob, 'payload'>): string {
  const dueIn = (Date.parse(runAt) - Date.now()) / 1000
  if (state === 'running') return `for ${duration((Date.now() - Date.parse(lockedAt ?? updatedAt)) / 1000)}`
  if (state === 'failed') return ago(updatedAt)
  return dueIn > 0 ? `in ${duration(dueIn)}` : `due ${duration(-dueIn)}`
}

/** The ids in a payload: `deliveryId 1, 2, 3`. */
export function formatIds(ids: Readonly<Record<string, unknown>>): string {
  return Object.entries(ids)
    .map(([name, id]) => `${name} ${Array.isArray(id) ? id.join(', ') : id}`)
    .join('; ')
}

export const formatShops = ([first = '-', ...others]: readonly string[]) =>
  others.length > 0 ? `${first} and ${others.length} more` : first

/** A job as it is printed: without its payload, except the ids. */
export type PublicJob = Omit<QueueJob, 'payload'> & { ids: Record<string, unknown> }

export function publicJob({ payload, ...job }: QueueJob): PublicJob {
  return { ...job, ids: payloadIds(payload) }
}
