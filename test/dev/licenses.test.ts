import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import { startApp } from '../support/core/app.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const Sbom = Type.Object({ components: Type.Array(Type.Object({ purl: Type.String() })) })

t.test('the packages in the admin have their notices, and are in the bill of materials', async (t) => {
  const { app } = await startApp(t)
  const answer = await app.inject('/licenses.md')
  t.equal(answer.statusCode, 200)
  t.match(answer.headers['content-type'], 'text/markdown')
  const bundled = [...answer.body.matchAll(/^## (\S+) - (\S+)(?: \((.+)\))?$/gm)].map(
    ([, name = '', version = '', license]) => ({ name, version, license }),
  )
  const names = bundled.map(({ name }) => name)
  for (const name of ['react', 'react-dom', '@mantine/core', '@tanstack/react-query', 'recharts'])
    t.ok(names.includes(name), name)
  t.match(answer.body, 'Permission is hereby granted, free of charge')

  const sbom = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })
  const { components } = Value.Decode(Sbom, JSON.parse(sbom))
  const purls = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
  for (const name of ['pg', 'fastify', 'graphile-worker'])
    t.ok(
      [...purls].some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
      name,
    )
  for (const name of ['tap', 'vite', 'playwright-core'])
    t.notOk(
      [...purls].some((purl) => purl.startsWith(`pkg:npm/${name}@`)),
      `${name} is a development package`,
    )
  for (const { name, version, license } of bundled) {
    t.ok(purls.has(`pkg:npm/${name}@${version}`), `${name} ${version}`)
    t.match(license, /^(MIT|ISC|BSD|Apache|0BSD|Unlicense)/, `licence of ${name}`)
  }
})

t.test('each script of the admin names the file of the notices in a comment', (t) => {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync(`${root}/web/dist/.vite/manifest.json`, 'utf8'),
  )
  const scripts = Object.values(manifest).filter(({ file }) => file.endsWith('.js'))
  t.ok(scripts.length > 1)
  for (const { file } of scripts)
    t.match(readFileSync(`${root}/web/dist/${file}`, 'utf8'), '/*! Licences: /licenses.md */', file)
  t.end()
})
