import type { QueueJob } from '../../../shared/domain/operations/jobs.ts'
import { payloadIds } from '../../../shared/queue/payload-ids.ts'
import type { Scrub } from '../../../shared/telemetry/scrub.ts'

/** Errors may quote an address; nobody who looks at jobs needs to know whose it is. */
const email = /(?<![^\s"\\<>@,;:])[^\s"\\<>@,;:]+@[^\s"\\<>@,;:]+\.[a-z]{2,}/gi

/** Takes secrets and addresses of people out of what is printed, and what would steer a terminal. */
export const createClean =
  (scrub: Scrub) =>
  (line: string): string =>
    scrub(line)
      .replace(email, '[e-mail]')
      .replace(/\p{Control}/gu, ' ')

/** A span of time in its largest unit: 90 s are 1m. */
export function span(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < 60) return `${whole}s`
  if (whole < 3_600) return `${Math.floor(whole / 60)}m`
  return whole < 172_800 ? `${Math.floor(whole / 3_600)}h` : `${Math.floor(whole / 86_400)}d`
}

export const ago = (instant: string) => `${span((Date.now() - Date.parse(instant)) / 1000)} ago`

/** When a job's state begins or began. */
export function when({ state, runAt, lockedAt, updatedAt }: Omit<QueueJob, 'payload'>): string {
  const dueIn = (Date.parse(runAt) - Date.now()) / 1000
  if (state === 'running') return `for ${span((Date.now() - Date.parse(lockedAt ?? updatedAt)) / 1000)}`
  if (state === 'failed') return ago(updatedAt)
  return dueIn > 0 ? `in ${span(dueIn)}` : `due ${span(-dueIn)}`
}

/** What a payload names: `deliveryId 1, 2, 3`. */
export function idWords(ids: Readonly<Record<string, unknown>>): string {
  return Object.entries(ids)
    .map(([name, id]) => `${name} ${Array.isArray(id) ? id.join(', ') : id}`)
    .join('; ')
}

export const shopWords = ([first = '-', ...others]: readonly string[]) =>
  others.length > 0 ? `${first} and ${others.length} more` : first

/** A job as it is shown: of its payload only the ids. */
export type PublicJob = Omit<QueueJob, 'payload'> & { ids: Record<string, unknown> }

export function publicJob({ payload, ...job }: QueueJob): PublicJob {
  return { ...job, ids: payloadIds(payload) }
}
