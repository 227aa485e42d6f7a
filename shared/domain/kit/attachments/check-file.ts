import { fileTypeFromBuffer } from 'file-type'
import { unprocessable } from '../../../errors.ts'
import { type AttachmentType, attachmentTypes, maxAttachmentBytes } from '../../../schemas/attachments.ts'
import { decodeFileContent } from '../file-content.ts'

export type CheckedFile = { name: string; mediaType: AttachmentType; bytes: Buffer }

/**
 * Decodes a file, and decides by its bytes what it is: an image or a PDF. The name never decides. Throws invalid_request
 * for content that is not base64, file_too_large, and unsupported_file for anything else, such as HTML, SVG and scripts.
 */
export async function checkFile(name: string, content: string): Promise<CheckedFile> {
  const bytes = decodeFileContent(content)
  if (bytes.length > maxAttachmentBytes) {
    throw unprocessable('file_too_large', 'A file can have at most 2 MiB. Make it smaller, or split it.', [
      { path: '/content', message: `is ${(bytes.length / 1024 / 1024).toFixed(1)} MiB, more than 2 MiB` },
    ])
  }
  const mediaType = (await fileTypeFromBuffer(bytes))?.mime
  if (!isAccepted(mediaType)) {
    throw unprocessable(
      'unsupported_file',
      'Only images (PNG, JPEG, WebP, GIF) and PDF files can be attached. The contents of this file are something else.',
      [{ path: '/content', message: 'is not a PNG, JPEG, WebP, GIF or PDF file' }],
    )
  }
  return { name: nameOf(name, mediaType), mediaType, bytes }
}

const isAccepted = (mediaType: string | undefined): mediaType is AttachmentType =>
  mediaType !== undefined && Object.hasOwn(attachmentTypes, mediaType)

/** The last part of a path, with the extension of the type: a PNG called `page.html` is `page.html.png`. */
function nameOf(given: string, mediaType: AttachmentType): string {
  const last = given.replaceAll('\\', '/').split('/').at(-1)?.trim() || 'file'
  const extensions: readonly string[] = attachmentTypes[mediaType]
  const extension = last.slice(last.lastIndexOf('.') + 1).toLowerCase()
  if (last.includes('.') && extensions.includes(extension)) return last
  return `${last}.${extensions[0]}`
}
