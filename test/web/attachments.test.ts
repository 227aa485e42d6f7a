import t from 'tap'
import type { Attachment } from '../../shared/schemas/attachments.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { png } from '../support/make/attachments.ts'

t.test('a merchant attaches files to a document', async (t) => {
  const { install, get, send, open } = await startAdmin(t)
  await install()
  const [{ variants: [{ variantId = '' } = {}] = [] } = {}] =
    await get<{ variants: { variantId: string }[] }[]>('/products')
  const [place] = await get<{ locationId: string }[]>('/locations')
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Northgate' })
  await send('POST', '/supplier-returns', {
    ...{ supplierId, locationId: place?.locationId },
    lines: [{ variantId, quantity: 1, reason: 'Recalled' }],
  })
  const { app, page } = await open('/returns/1')
  const confirm = (name: string) => app.getByRole('dialog').getByRole('button', { name, exact: true }).click()

  await t.test('photos and PDFs are attached, opened and deleted; other files are refused', async (t) => {
    await app.getByText('No files yet').waitFor()
    const files = app.getByLabel('Files', { exact: true })
    await files.setInputFiles({ name: 'box.png', mimeType: 'image/png', buffer: png })
    await app.getByRole('button', { name: 'box.png', exact: true }).waitFor()
    await files.setInputFiles({
      name: 'page.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<script>alert(1)</script>'),
    })
    await app.getByText('Only images (PNG, JPEG, WebP, GIF) and PDF files can be attached').waitFor()
    await files.setInputFiles({
      name: 'scan.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.alloc(3_000_000, '%PDF-1.7\n'),
    })
    await app.getByText('A file can have at most 2 MB.').waitFor()
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      app.getByRole('button', { name: 'box.png', exact: true }).click(),
    ])
    await expectSoon(t, async () => popup.url().slice(0, 5), 'blob:', 'the picture opens in a tab')
    await popup.close()
    t.match(await get<Attachment[]>('/attachments?subject=supplier_return&subjectId=1'), [
      { name: 'box.png', mediaType: 'image/png', size: png.length },
    ])
    await app.getByRole('button', { name: 'Delete box.png' }).click()
    await confirm('Delete file')
    await app.getByText('No files yet').waitFor()
  })

  await t.test('a photo that is too large is sent smaller', async (t) => {
    // noise, which PNG cannot compress: 1 000 × 1 000 pixels of 4 bytes
    const noise = await page.evaluate(async () => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 1_000
      const context = canvas.getContext('2d')
      const image = context?.createImageData(1_000, 1_000)
      if (!context || !image) return ''
      for (let i = 0; i < image.data.length; i += 65_536)
        crypto.getRandomValues(image.data.subarray(i, Math.min(i + 65_536, image.data.length)))
      context.putImageData(image, 0, 0)
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    })
    const buffer = Buffer.from(noise, 'base64')
    t.ok(buffer.length > 2 * 1024 * 1024, `${buffer.length} bytes`)
    await app
      .getByLabel('Photo', { exact: true })
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer })
    await app.getByRole('button', { name: 'large.jpg', exact: true }).waitFor()
    const [file] = await get<Attachment[]>('/attachments?subject=supplier_return&subjectId=1')
    t.match(file, { mediaType: 'image/jpeg' })
    t.ok((file?.size ?? 0) < 2 * 1024 * 1024)
  })
})
