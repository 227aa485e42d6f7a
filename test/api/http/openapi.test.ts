import fastJsonStringify from 'fast-json-stringify'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { withoutUnions } from '../../../api/http/serialization.ts'
import { type Endpoint, endpoints } from '../../../shared/schemas/endpoints.ts'
import { startApp } from '../../support/core/app.ts'
import { listEndpoints } from '../../support/core/endpoints.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** The methods and paths of all registered routes, parsed from the tree that the router prints. */
function routesOf(app: FastifyInstance): { method: string; path: string }[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((text) => {
      const [, branches, part, methods] = /^([│ ├└]*)── (\S*) \((.+)\)$/.exec(text) ?? []
      if (branches === undefined || part === undefined || methods === undefined) return []
      const depth = Math.floor(branches.length / 4)
      parents.splice(depth, parents.length, part)
      return methods.split(', ').map((method) => ({ method, path: parents.join('') }))
    })
}

/** Every object in a document, with its path. */
function* nodesOf(value: Json, path = ''): Generator<{ path: string; node: Record<string, Json> }> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield { path, node: value }
  for (const [name, child] of Object.entries(value)) yield* nodesOf(child, `${path}/${name}`)
}

/** The name in the document of an endpoint of the contract table: `PUT /api/suppliers/{id}`. */
const nameOf = (key: string) => key.replace(' /', ' /api/').replace(/:(\w+)/g, '{$1}')

/** The only parameters of a query without which a request has no meaning. */
const requiredQuery = ['GET /api/purchase-orders/{id}/scan code', 'GET /api/list-views list']

const documentOf = async (app: FastifyInstance) => (await app.inject('/openapi.json')).json()

t.test('contract table, router and document list the same endpoints; each needs a token', async (t) => {
  const { app, alice } = await startApp(t)
  const routes = routesOf(app).filter(({ path }) => path.startsWith('/api'))
  t.ok(routes.length > 40)
  const served: string[] = []
  for (const { method, path } of routes) {
    const url = path.replace(/:\w+/g, '999999')
    const send = method as 'GET'
    const name = `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
    t.equal((await app.inject({ method: send, url })).statusCode, 401, `${name} without a token`)
    if (method !== 'HEAD' && (await alice.send(send, url)).statusCode !== 405) served.push(name)
  }
  const listed = (await listEndpoints(app)).map(({ name }) => name)
  t.strictSame(listed.sort(), served.sort())
  const inTable = Object.keys(endpoints).map(nameOf)
  t.strictSame(inTable.sort(), served)
})

t.test('the document has the summary and the success statuses of the contract table', async (t) => {
  const { app } = await startApp(t)
  const { paths } = await documentOf(app)
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = nameOf(key).split(' ')
    const { summary, responses } = paths[path][method.toLowerCase()]
    t.match(summary, /^[A-Z][^.]+$/, key)
    t.equal(summary, endpoint.summary, key)
    t.strictSame(
      Object.keys(responses),
      [...[endpoint.status ?? 200].flat().map(String), 'default'],
      `the statuses of ${key}`,
    )
  }
})

t.test('the document is OpenAPI 3.1', async (t) => {
  const { app } = await startApp(t)
  const answer = await app.inject('/openapi.json')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers['content-type'], /^application\/json/)
  const document = answer.json()
  t.match(document, {
    openapi: '3.1.0',
    info: { title: 'Quartermaster', version: String },
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    security: [{ session: [] }],
  })
  for (const endpoint of await listEndpoints(app)) {
    const operation = document.paths[endpoint.path][endpoint.method.toLowerCase()]
    const statuses = Object.keys(operation.responses)
    t.ok(
      statuses.some((status) => /^2\d\d$/.test(status)),
      `${endpoint.name} describes a success`,
    )
    t.ok(statuses.includes('default'), `${endpoint.name} describes a failure`)
    for (const response of Object.values<{ description: string }>(operation.responses)) {
      t.type(response.description, 'string', endpoint.name)
    }
    const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const parameters = [...endpoint.pathParameters, ...endpoint.choices.map(({ name }) => name)]
    t.strictSame(parameters, inPath, endpoint.name)
    for (const parameter of operation.parameters ?? []) {
      const isRequired =
        parameter.in === 'path' || requiredQuery.includes(`${endpoint.name} ${parameter.name}`)
      t.equal(parameter.required ?? false, isRequired, `${endpoint.name} ${parameter.name}`)
    }
  }
})

t.test('every schema of a response can be compiled, which web does at the first answer', async (t) => {
  const { app } = await startApp(t)
  const { paths } = await documentOf(app)
  const known = new Set<string>()
  for (const { name, path, method } of await listEndpoints(app)) {
    const { responses } = paths[path][method.toLowerCase()]
    for (const [status, { content }] of Object.entries<{ content?: Json }>(responses)) {
      const schema = Object(content)['application/json']?.schema
      // most endpoints have the same failure
      if (!schema || known.has(JSON.stringify(schema))) continue
      known.add(JSON.stringify(schema))
      const compiled = withoutUnions(schema)
      t.notMatch(JSON.stringify(compiled), '"anyOf"', `${name} ${status} tries no members of a union`)
      t.doesNotThrow(() => fastJsonStringify(compiled), `${name} ${status}`)
    }
  }
})

t.test('the document lists the media types of each response', async (t) => {
  const { app } = await startApp(t)
  const { paths } = await documentOf(app)
  const typesOf = (path: string) => Object.keys(paths[path].get.responses['200'].content)
  t.strictSame(typesOf('/api/settings'), ['application/json'])
  t.strictSame(typesOf('/api/suppliers'), ['application/json', 'text/csv'])
  t.strictSame(typesOf('/api/purchase-orders'), ['application/json', 'text/csv'])
  t.strictSame(typesOf('/api/purchase-orders/{id}/pdf'), ['application/pdf'])
})

const keywords = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'items', 'properties', 'required', 'additionalProperties'],
  ...[
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'pattern',
    'format',
    'description',
  ],
])

t.test('schemas use the keywords of JSON Schema only', async (t) => {
  const { app } = await startApp(t)
  const document = await documentOf(app)
  const nodes = [...nodesOf(document)].filter(({ path }) => /\/schema(\/|$)/.test(path))
  t.ok(nodes.length > 100)
  for (const { path, node } of nodes) {
    if (path.endsWith('/properties')) continue
    t.strictSame(
      Object.keys(node).filter((name) => !keywords.has(name)),
      [],
      path,
    )
    if ('pattern' in node) t.doesNotThrow(() => new RegExp(String(node.pattern), 'u'), path)
  }
  t.notMatch(JSON.stringify(document), /"(rule|gid|decimals)"/)
})

t.test('a browser shows the document with assets of this origin only', async (t) => {
  const { app } = await startApp(t)
  for (const address of ['/docs', '/docs/']) {
    const page = await app.inject(address)
    t.equal(page.statusCode, 200, address)
    t.match(page.headers['content-type'], /^text\/html/)
    const policy = String(page.headers['content-security-policy'])
    t.match(policy, /default-src 'none'; script-src 'self'; /)
    t.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe-inline/)
    t.notMatch(page.body, /<script(?![^>]*src=)/, 'the page has no inline script')

    const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, asset]) => asset ?? '')
    t.ok(assets.length >= 4)
    for (const asset of assets) {
      const url = new URL(asset, `http://localhost${address}`)
      t.equal(url.origin, 'http://localhost', asset)
      t.equal((await app.inject(url.pathname)).statusCode, 200, `${address}: ${asset}`)
    }
  }
  const document = await documentOf(app)
  t.strictSame((await app.inject('/docs/json')).json(), document, 'the page shows the same document')
})
