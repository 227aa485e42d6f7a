import type { Failure } from '../../../shared/schemas/common.ts'
import { idToken } from '../browser/host.ts'
import { ApiError, noConnection, noSession } from './api-error.ts'
import type { Answer, Endpoint, Item, ListEndpoint, Options } from './endpoints.ts'
import { answered, keyFor } from './request-keys.ts'
import { noteServerTime } from './server-clock.ts'

/** Asks the API for one thing, or to do one. Throws ApiError. */
export async function request<E extends Endpoint>(
  endpoint: E,
  options: Options<E>,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  const { method, path } = addressOf(endpoint, options)
  const response = await ask(method, path, { body: options.body, signal })
  const { data }: { data: Answer<E> } = await response.json()
  return data
}

export type Page<T> = { records: readonly T[]; next: string | undefined }

/** One page of a list. `next` is the address of the page after it, as the API gave it. */
export async function requestPage<E extends ListEndpoint>(
  endpoint: E,
  options: Options<E> & { next?: string | undefined; signal?: AbortSignal },
): Promise<Page<Item<E>>> {
  const { method, path } = addressOf(endpoint, options)
  const response = await ask(method, options.next ?? path, { signal: options.signal })
  const { data }: { data: readonly Item<E>[] } = await response.json()
  return { records: data, next: nextOf(response) }
}

/** A whole list, or its first pages where it is longer than somebody can look at. */
export async function requestWhole<E extends ListEndpoint>(
  endpoint: E,
  options: Options<E> & { signal?: AbortSignal },
  maxPages = Number.POSITIVE_INFINITY,
): Promise<{ records: readonly Item<E>[]; isWhole: boolean }> {
  const pages: (readonly Item<E>[])[] = []
  let next: string | undefined
  do {
    const page: Page<Item<E>> = await requestPage(endpoint, { ...options, next })
    pages.push(page.records)
    next = page.next
  } while (next && pages.length < maxPages)
  return { records: pages.flat(), isWhole: next === undefined }
}

const nextOf = (response: Response) => /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]

export async function requestPdf(path: string): Promise<Blob> {
  return (await ask('GET', `/api${path}`, { accept: 'application/pdf' })).blob()
}

/** A whole list as CSV: the API gives it page by page, each under the same first line. */
export async function requestCsv(path: string, query: object): Promise<Blob> {
  const pages: string[] = []
  let next: string | undefined = `/api${path}${searchOf(query)}`
  while (next !== undefined) {
    const response: Response = await ask('GET', next, { accept: 'text/csv' })
    const text = await response.text()
    pages.push(pages.length === 0 ? text : text.slice(text.indexOf('\n') + 1))
    next = nextOf(response)
  }
  // reading it as text has taken the mark by which a spreadsheet knows UTF-8
  return new Blob(['\uFEFF', ...pages], { type: 'text/csv' })
}

type Told = { params?: Record<string, number> | undefined; query?: object | undefined }

function addressOf(endpoint: string, { params, query = {} }: Told) {
  const [method = '', pattern = ''] = endpoint.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name) => String(params?.[name]))
  return { method, path: `/api${path}${searchOf(query)}` }
}

/** What is asked for, as it stands behind an address. */
function searchOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
}

type Asked = { body?: unknown; accept?: string; signal?: AbortSignal | undefined }

async function ask(
  method: string,
  path: string,
  { body, accept = 'application/json', signal }: Asked,
): Promise<Response> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const name = `${method} ${path} ${text}`
  const headers: Record<string, string> = { accept }
  if (text !== undefined) headers['content-type'] = 'application/json'
  if (method === 'POST' || method === 'PUT') headers['idempotency-key'] = keyFor(name)

  const response = await authorized(path, { method, headers, body: text, signal: signal ?? null }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error
      throw noConnection()
    },
  )
  noteServerTime(response)
  // of an answer such as 502 nobody knows who gave it, and what had happened before
  if (response.status < 500) answered(name)
  if (!response.ok) throw new ApiError(response.status, await readFailure(response))
  return response
}

/** A token lives for a minute, so one may end on its way: then once more with a fresh one. */
async function authorized(path: string, init: RequestInit): Promise<Response> {
  const withToken = async () => {
    const token = await idToken().catch(() => {
      throw noSession()
    })
    return fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  }
  const response = await withToken()
  return response.status === 401 ? withToken() : response
}

async function readFailure(response: Response): Promise<Partial<Failure['error']>> {
  try {
    const { error }: Failure = await response.json()
    return error
  } catch {
    return {}
  }
}
