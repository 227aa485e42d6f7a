import { fileTypeFromBuffer } from 'file-type'
import PQueue from 'p-queue'
import type { Sharp, SharpOptions } from 'sharp'
import { unavailable, unprocessable } from '../../../errors.ts'
import { maxLogoBytes, maxLogoSide } from '../../../schemas/settings.ts'
import { decodeFileContent } from '../../kit/file-content.ts'

export type EncodedLogo = { bytes: Buffer; width: number; height: number }

/** Printed in a box of 160 × 56 pt, this is 288 dots per inch. */
const box = { width: 640, height: 224 }
const timeoutSeconds = 10
const maxWaiting = 5
/** By the bytes; the value is the name that the decoder has for the format. */
const formats = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
])
// One picture at a time: a decoded one has up to 2 000 × 2 000 × 4 bytes = 16 MB, twice that with 16 bits a channel.
const queue = new PQueue({ concurrency: 1 })

/**
 * Decodes a picture and encodes it again as a PNG without transparency that fits into the box of documents, so that no byte
 * of the given file gets into a PDF. Bytes and pixels are limited before it is decoded. Throws invalid_request for content that is not
 * base64, logo_too_large, unsupported_logo, broken_logo.
 */
export async function encodeLogo(content: string): Promise<EncodedLogo> {
  const bytes = decodeFileContent(content)
  if (bytes.length > maxLogoBytes) {
    throw refused('logo_too_large', 'A logo can have at most 1 MiB. Choose a smaller file.', [
      `is ${(bytes.length / 1024 / 1024).toFixed(1)} MiB, more than 1 MiB`,
    ])
  }
  const format = formats.get((await fileTypeFromBuffer(bytes))?.mime ?? '')
  if (!format) {
    throw refused('unsupported_logo', 'Choose a PNG, JPEG or WebP picture. This file is something else.', [
      'is not a PNG, JPEG or WebP picture',
    ])
  }
  if (queue.size >= maxWaiting) throw unavailable('Too many logos are being stored. Try again in a moment.')
  return queue.add(() => encode(bytes, format))
}

async function encode(bytes: Buffer, format: string): Promise<EncodedLogo> {
  const open = await loadDecoder()
  try {
    // reads the head of the file only
    const head = await open(bytes, { limitInputPixels: false }).metadata()
    if (head.format !== format) throw new Error(`The decoder reads ${format} as ${head.format}`)
    if (head.width > maxLogoSide || head.height > maxLogoSide) {
      const limit = maxLogoSide.toLocaleString('en')
      throw refused(
        'logo_too_large',
        `A logo can have at most ${limit} × ${limit} pixels. Make it smaller and try again.`,
        [`is ${head.width} × ${head.height} pixels, more than ${maxLogoSide} on a side`],
      )
    }
    const { data, info } = await open(bytes, { limitInputPixels: maxLogoSide ** 2, failOn: 'error' })
      .timeout({ seconds: timeoutSeconds })
      .autoOrient()
      .flatten({ background: '#ffffff' })
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .png({ compressionLevel: 9, progressive: false, palette: false })
      .toBuffer({ resolveWithObject: true })
    return { bytes: data, width: info.width, height: info.height }
  } catch (error) {
    if (error instanceof Error && 'kind' in error) throw error
    throw refused('broken_logo', 'This picture cannot be read. Save it again as a PNG, and try again.', [
      'is damaged or incomplete',
    ])
  }
}

/** Loaded with the first logo: few processes need the native library. It can read the three formats, and no other. */
async function loadDecoder(): Promise<(bytes: Buffer, options: SharpOptions) => Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
  return sharp
}

const refused = (code: string, message: string, faults: readonly string[]) =>
  unprocessable(
    code,
    message,
    faults.map((fault) => ({ path: '/content', message: fault })),
  )
