import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '../../shared/db/db.ts'
import type { Page } from '../../shared/domain/kit/pages/pages.ts'
import { Ok, OkCounted } from '../../shared/schemas/common.ts'
import { type Endpoint, type EndpointKey, endpoints, type Part } from '../../shared/schemas/endpoints.ts'
import { ignoringReadOnly } from '../../shared/schemas/read-only.ts'
import { ok, okPage } from './envelope.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entry of the contract table that the route serves. */
    endpoint?: Endpoint
  }
}

type RouteRequest<Key extends EndpointKey> = FastifyRequest<{
  Params: Part<Key, 'params'>
  Querystring: Part<Key, 'query'>
  Body: Part<Key, 'body'>
}>

/** The `data` of the response; the reply itself for an endpoint that does not answer with JSON. */
type Answer<Key extends EndpointKey> =
  Part<Key, 'answer'> extends undefined ? FastifyReply : Part<Key, 'answer'>

type Item<Key extends EndpointKey> = Part<Key, 'answer'> extends readonly (infer T)[] ? T : never

type App = Parameters<FastifyPluginAsyncTypebox>[0]

/** Registers an endpoint with the schemas and status of its entry in `shared/schemas/endpoints.ts`. */
export function route<Key extends EndpointKey>(
  app: App,
  key: Key,
  handler: (request: RouteRequest<Key>, reply: FastifyReply) => Promise<Answer<Key>>,
): void {
  const isJson = (endpoints[key] as Endpoint).answer !== undefined
  register(app, key, isJson ? async (request, reply) => ok(await handler(request, reply)) : handler)
}

/** As `route`, for a list: the response is a page, with the address of the next page in the `Link` header. */
export function listRoute<Key extends EndpointKey>(
  app: App,
  key: Key,
  list: (request: RouteRequest<Key>) => Promise<Page<Item<Key>>>,
): void {
  register(app, key, async (request, reply) => okPage(request, reply, await list(request)))
}

/** What a domain function takes of a request after the database and the shop: `id` is that of the address. */
type PartName = 'id' | 'params' | 'actor' | 'query' | 'body'

type Arguments<Key extends EndpointKey, Names extends readonly PartName[]> = {
  [At in keyof Names]: Names[At] extends 'id'
    ? Part<Key, 'params'> extends { id: infer Id }
      ? Id
      : never
    : RouteRequest<Key>[Exclude<Names[At], 'id'>]
}

/**
 * As `route`, where the handler only calls a domain function with these parts of the request. Example:
 * `serve(app, 'PUT /suppliers/:id', updateSupplier, 'id', 'body')` calls `updateSupplier(db, shopId, id, body)`.
 */
export function serve<Key extends EndpointKey, const Names extends readonly PartName[]>(
  app: App,
  key: Key,
  run: (db: Db, shopId: number, ...parts: Arguments<Key, Names>) => Promise<Answer<Key>>,
  ...names: Names
): void {
  route(app, key, (request) => run(request.db, request.shop.id, ...argumentsOf(request, names)))
}

/** As `listRoute`, where the list is that of a domain function with these parts of the request. */
export function serveList<Key extends EndpointKey, const Names extends readonly PartName[]>(
  app: App,
  key: Key,
  list: (db: Db, shopId: number, ...parts: Arguments<Key, Names>) => Promise<Page<Item<Key>>>,
  ...names: Names
): void {
  listRoute(app, key, (request) => list(request.db, request.shop.id, ...argumentsOf(request, names)))
}

function argumentsOf<Key extends EndpointKey, const Names extends readonly PartName[]>(
  request: RouteRequest<Key>,
  names: Names,
): Arguments<Key, Names> {
  const { id } = request.params as { id?: unknown }
  return names.map((name) => (name === 'id' ? id : request[name])) as Arguments<Key, Names>
}

/** The body of an update also accepts, and ignores, the read-only fields that `GET` of the record returns. */
function bodyOf(method: string, url: string, { body, answer }: Endpoint): TSchema | undefined {
  if (method !== 'PUT' || !body) return body
  const read = (endpoints as Record<string, Endpoint>)[`GET ${url}`]?.answer
  // a record without `GET` has the fields that its update returns; the address of one record ends with its id
  const record = read ?? (/:\w+$/.test(url) ? answer : undefined)
  return record ? ignoringReadOnly(body, record) : body
}

function register<Key extends EndpointKey>(
  app: App,
  key: Key,
  handler: (request: RouteRequest<Key>, reply: FastifyReply) => Promise<unknown>,
): void {
  const [method = '', url = ''] = key.split(' ')
  const endpoint: Endpoint = endpoints[key]
  const { summary, params, query, answer, status = 200, maxBody, timeoutMs } = endpoint
  const body = bodyOf(method, url, endpoint)
  const success = answer && (query?.properties.count ? OkCounted : Ok)(answer)
  app.route({
    method,
    url,
    schema: {
      summary,
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(success && { response: Object.fromEntries([status].flat().map((code) => [code, success])) }),
    },
    config: { endpoint },
    ...(maxBody && { bodyLimit: maxBody.bytes }),
    ...(timeoutMs && { handlerTimeout: timeoutMs }),
    handler(request, reply) {
      if (status === 201) reply.code(status)
      return handler(request as RouteRequest<Key>, reply)
    },
  })
}
