import type { EndpointKey, endpoints, Part } from '../../../shared/schemas/endpoints.ts'

export type Endpoint = {
  [E in EndpointKey]: Part<E, 'answer'> extends undefined ? never : E
}[EndpointKey]

export type ListEndpoint = {
  [E in Endpoint]: (typeof endpoints)[E] extends { query: unknown }
    ? Answer<E> extends readonly unknown[]
      ? E
      : never
    : never
}[Endpoint]

export type ReadEndpoint = Exclude<Extract<Endpoint, `GET ${string}`>, ListEndpoint>

/** The path of an endpoint that also responds with CSV. */
export type CsvPath = {
  [E in EndpointKey]: (typeof endpoints)[E] extends { csv: unknown }
    ? E extends `GET ${infer Path}`
      ? Path
      : never
    : never
}[EndpointKey]

type Params<E extends Endpoint> =
  Part<E, 'params'> extends infer P extends Record<string, number | string>
    ? { params: P }
    : { params?: undefined }
type Query<E extends Endpoint> =
  Part<E, 'query'> extends infer Q extends object ? { query: Q } : { query?: undefined }
type Body<E extends Endpoint> =
  Part<E, 'body'> extends undefined ? { body?: undefined } : { body: Part<E, 'body'> }

export type Options<E extends Endpoint> = Params<E> & Query<E> & Body<E>
export type Answer<E extends Endpoint> = Part<E, 'answer'>
export type Item<E extends ListEndpoint> = Answer<E> extends readonly (infer I)[] ? I : never
