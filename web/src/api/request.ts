import type { Failure, ListMeta } from '../../../shared/schemas/common.ts'
import { idToken } from '../browser/host.ts'
import { ApiError, noConnection, noSession } from './api-error.ts'
import type { Answer, CsvPath, Endpoint, Item, ListEndpoint, Options } from './endpoints.ts'
import { RequestKeys } from './request-keys.ts'
import { updateServerClock } from './server-clock.ts'

const keys = new RequestKeys()

/** Sends a request to the API and returns the `data` of the response. Throws ApiError. */
export function request<E extends Endpoint>(
  endpoint: E,
  options: Options<E>,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  const { method, path } = addressOf(endpoint, options)
  if (method === 'GET') return requestData(method, path, { signal })
  return keys.send(JSON.stringify([endpoint, options]), (key) =>
    requestWithKey(endpoint, options, key, signal),
  )
}

/** The same with an idempotency key of the caller. */
export function requestWithKey<E extends Endpoint>(
  endpoint: E,
  options: Options<E>,
  key: string,
  signal?: AbortSignal,
): Promise<Answer<E>> {
  const { method, path } = addressOf(endpoint, options)
  return requestData(method, path, { body: options.body, key, signal })
}

async function requestData<T>(method: string, path: string, options: SendOptions): Promise<T> {
  const { data }: { data: T } = await readJson(await send(method, path, options), options.signal)
  return data
}

export type Page<T> = { records: readonly T[]; next: string | undefined; count?: ListMeta | undefined }

/** Reads one page of a list. `next` is the URL of the following page, from the `Link` header; `count` comes with `count: true`. */
export async function requestPage<E extends ListEndpoint>(
  endpoint: E,
  options: Options<E> & { next?: string | undefined; signal?: AbortSignal },
): Promise<Page<Item<E>>> {
  const { method, path } = addressOf(endpoint, options)
  const { signal } = options
  const response = await send(method, options.next ?? path, { signal })
  const { data, meta } = await readJson<{ data: readonly Item<E>[]; meta?: ListMeta }>(response, signal)
  return { records: data, next: nextOf(response), ...(meta && { count: meta }) }
}

/** Reads all pages of a list, at most `maxPages`; `isComplete` is false when there are more. */
export async function requestAll<E extends ListEndpoint>(
  endpoint: E,
  options: Options<E> & { signal?: AbortSignal },
  maxPages = Number.POSITIVE_INFINITY,
): Promise<{ records: readonly Item<E>[]; isComplete: boolean }> {
  const pages: (readonly Item<E>[])[] = []
  let next: string | undefined
  do {
    const page: Page<Item<E>> = await requestPage(endpoint, { ...options, next })
    pages.push(page.records)
    next = page.next
  } while (next && pages.length < maxPages)
  return { records: pages.flat(), isComplete: next === undefined }
}

const nextOf = (response: Response) => /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]

export const requestPdf = (path: string): Promise<Blob> => requestFile(path, 'application/pdf')

/** Reads a file byte by byte. */
export async function requestFile(path: string, accept: string): Promise<Blob> {
  return connected((await send('GET', `/api${path}`, { accept })).blob())
}

/** Reads all pages of a list as one CSV file: keeps the header row of the first page only. */
export async function requestCsv(path: CsvPath, options: AddressOptions): Promise<Blob> {
  const pages: string[] = []
  let next: string | undefined = addressOf(`GET ${path}`, options).path
  while (next !== undefined) {
    const response: Response = await send('GET', next, { accept: 'text/csv' })
    const text = await connected(response.text())
    pages.push(pages.length === 0 ? text : text.slice(text.indexOf('\n') + 1))
    next = nextOf(response)
  }
  // `text()` strips the byte order mark, by which spreadsheets recognise UTF-8
  return new Blob(['\uFEFF', ...pages], { type: 'text/csv' })
}

type AddressOptions = { params?: Record<string, number | string> | undefined; query?: object | undefined }

function addressOf(endpoint: string, { params, query = {} }: AddressOptions) {
  const [method = '', pattern = ''] = endpoint.split(' ')
  const path = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(params?.[name])))
  return { method, path: `/api${path}${searchOf(query)}` }
}

function searchOf(query: object): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`
}

/** A dialog stays open until its request ends, so each request must end. */
const maxRequestMs = 120_000

type SendOptions = {
  body?: unknown
  accept?: string
  signal?: AbortSignal | undefined
  key?: string | undefined
}

async function send(
  method: string,
  path: string,
  { body, accept = 'application/json', signal, key }: SendOptions,
): Promise<Response> {
  refuseNonNumbers(body)
  const headers: Record<string, string> = { accept }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (key !== undefined && (method === 'POST' || method === 'PUT')) headers['idempotency-key'] = key
  const init = {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(maxRequestMs), ...(signal ? [signal] : [])]),
  }
  const response = await connected(authorized(path, init), signal)
  updateServerClock(response)
  if (!response.ok) throw new ApiError(response.status, await readFailure(response), method === 'GET')
  return response
}

/** The connection may also break while the body is read. */
const readJson = <T>(response: Response, signal: AbortSignal | undefined): Promise<T> =>
  connected(response.json(), signal)

async function connected<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw signal?.aborted || error instanceof ApiError ? error : noConnection()
  }
}

/** NaN is what a number field holds while its text is no number; JSON would turn it into null, which may mean "none". */
function refuseNonNumbers(body: unknown): void {
  const details = nonNumbers(body, '').map((path) => ({ path, message: 'enter a number' }))
  if (details.length > 0)
    throw new ApiError(400, {
      code: 'not_a_number',
      message: 'Some fields are not numbers. Correct them.',
      details,
    })
}

function nonNumbers(value: unknown, path: string): string[] {
  if (Number.isNaN(value)) return [path]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => nonNumbers(part, `${path}/${name}`))
}

/** Sends a session token, which is valid for a minute. It may expire on its way: after a 401 tries once with a new one. */
async function authorized(path: string, init: RequestInit): Promise<Response> {
  const withToken = async () => {
    const token = await idToken().catch(() => {
      throw navigator.onLine ? noSession() : noConnection()
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
