import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../shared/errors.ts'

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** The fields of the bundler's manifest that the page needs. */
const Chunk = Type.Object({
  file: Type.String(),
  isEntry: Type.Optional(Type.Boolean()),
  css: Type.Optional(Type.Array(Type.String())),
  imports: Type.Optional(Type.Array(Type.String())),
})
const Manifest = Type.Record(Type.String(), Chunk)
type Manifest = Static<typeof Manifest>

/** The URL paths that the admin's page loads. */
export type WebBuild = { script: string; preloads: string[]; styles: string[] }

/** The output of `npm run build`, or null when it has not run. */
export async function readWebBuild(): Promise<WebBuild | null> {
  const text = await readFile(`${dist}.vite/manifest.json`, 'utf8').catch(() => null)
  return text === null ? null : describeBuild(Value.Decode(Manifest, JSON.parse(text)))
}

function describeBuild(manifest: Manifest): WebBuild {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('web/dist/.vite/manifest.json has no entry')
  const chunks = new Set([entry])
  for (const { imports = [] } of chunks) {
    for (const name of imports) if (manifest[name]) chunks.add(manifest[name])
  }
  const all = [...chunks]
  return {
    script: `/${entry.file}`,
    preloads: all.slice(1).map(({ file }) => `/${file}`),
    styles: [...new Set(all.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
  }
}

/** Serves the build. File names contain a content hash, so browsers may cache them forever. */
export async function webFiles(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true }
  })
  await app.register(fastifyStatic, {
    root: `${dist}assets`,
    prefix: '/assets/',
    immutable: true,
    maxAge: '365d',
    index: false,
    preCompressed: true,
    decorateReply: false,
  })
  // the notices of the packages in the bundle; a comment in each of its scripts names this address
  app.get('/licenses.md', async (_request, reply) => {
    const text = await readFile(`${dist}licenses.md`, 'utf8').catch(() => null)
    if (text === null) throw notFound('The file')
    return reply.type('text/markdown; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
}
