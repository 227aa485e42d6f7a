import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { FastifyInstance } from 'fastify'

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url))

/** As much of the bundler's manifest as a page needs. */
const Chunk = Type.Object({
  file: Type.String(),
  isEntry: Type.Optional(Type.Boolean()),
  css: Type.Optional(Type.Array(Type.String())),
  imports: Type.Optional(Type.Array(Type.String())),
})
const Manifest = Type.Record(Type.String(), Chunk)
type Manifest = Static<typeof Manifest>

/** What the page of the admin loads: addresses on this origin. */
export type WebBuild = { script: string; preloads: string[]; styles: string[] }

/** What `npm run build` made, or null when it has not run. */
export async function readWebBuild(): Promise<WebBuild | null> {
  const text = await readFile(`${dist}.vite/manifest.json`, 'utf8').catch(() => null)
  return text === null ? null : describeBuild(Value.Decode(Manifest, JSON.parse(text)))
}

function describeBuild(manifest: Manifest): WebBuild {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('web/dist/.vite/manifest.json names no entry')
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

/** Serves what the page loads. Names hold a hash of what is inside, so a browser may keep them for good. */
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
}
