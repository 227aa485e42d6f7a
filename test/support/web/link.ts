import type { Test } from 'tap'
import { ApiError, noConnection } from '../../../web/src/api/api-error.ts'
import type { Person } from '../core/people.ts'

type Method = 'GET' | 'POST' | 'PUT'
export type Sent = { path: string; body: unknown; key: string | undefined }

/**
 * The network between a device and the API. `away`: no request arrives; `lost`: a request arrives, its answer does not;
 * `expired`: the API does not accept the session.
 */
export type Network = 'there' | 'away' | 'lost' | 'expired'

/** How a device in a test reaches the API: with the errors that the admin makes of its answers. */
export function makeLink(person: Person, sent: Sent[] = []) {
  let network: Network = 'there'
  return {
    /** The requests that change something, also those that did not arrive; pages of a device may share the list. */
    sent,
    set: (now: Network) => {
      network = now
    },
    request: async <T>(method: Method, path: string, body?: object, key?: string): Promise<T> => {
      if (method !== 'GET') sent.push({ path, body, key })
      const then = network
      if (then === 'away') throw noConnection()
      const headers = {
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(then === 'expired' && { authorization: 'Bearer expired' }),
      }
      const answer = await person.send(method, `/api${path}`, body, headers)
      if (then === 'lost') throw noConnection()
      const { data, error } = answer.json()
      if (answer.statusCode >= 400) throw new ApiError(answer.statusCode, error, method === 'GET')
      return data
    },
  }
}

export type Link = ReturnType<typeof makeLink>

type ScannedDraft = { scan: (code: string) => void; start: () => void; stop: () => void }

/** Opens a page that scans into a draft, until the test ends. */
export function openScanPage<D extends ScannedDraft>(t: Test, draft: D, link: Link) {
  draft.start()
  t.teardown(draft.stop)
  return {
    ...draft,
    link,
    scan: (code: string, times = 1) => {
      for (let left = times; left > 0; left -= 1) draft.scan(code)
    },
    /** Ends the page: an answer that comes now is lost. */
    close: () => {
      link.set('away')
      draft.stop()
    },
  }
}
