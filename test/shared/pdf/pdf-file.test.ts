import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import t from 'tap'
import { createPdfFile, type DocumentDefinition } from '../../../shared/pdf/pdf-file.ts'

const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#0b6e4f' } })
  .png()
  .toBuffer()

const withImage = (image: string): DocumentDefinition => ({
  pageSize: { width: 200, height: 200 },
  pageMargins: 10,
  defaultStyle: { font: 'latin', fontSize: 9 },
  ...{ language: 'en', tagged: true, displayTitle: true, version: '1.7' },
  info: { title: 'Picture', creationDate: new Date('2025-03-09T23:30:01Z') },
  images: { logo: image },
  content: [{ image: 'logo' }],
})

t.test('a document has pictures of its own only: no file and no URL is read', async (t) => {
  const path = join(t.testdir(), 'picture.png')
  await writeFile(path, picture)
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end(picture)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo

  const own = await createPdfFile(withImage(`data:image/png;base64,${picture.toString('base64')}`))
  t.match(own.toString('latin1'), /\/Subtype \/Image/)
  for (const image of [path, pathToFileURL(path).href, `http://127.0.0.1:${port}/picture.png`]) {
    await t.rejects(createPdfFile(withImage(image)), /Access to local file denied/, image)
  }
  t.equal(requests, 0)
})

t.test('the options of one document do not change for the next', async (t) => {
  const pageSize = Object.freeze({ width: 300, height: 200 })
  const definition = () => ({ ...withImage(''), images: {}, content: [{ text: 'A' }], pageSize })
  t.same(await createPdfFile(definition()), await createPdfFile(definition()))
})
