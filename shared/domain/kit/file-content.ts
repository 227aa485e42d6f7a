import { badRequest } from '../../errors.ts'
import { fileContentRule } from '../../schemas/common.ts'

/**
 * The bytes of the field `content`. Node skips invalid characters, so the text must equal what Node writes for the bytes. Throws
 * invalid_request.
 */
export function decodeFileContent(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.length > 0 && bytes.toString('base64') === content) return bytes
  throw badRequest([{ path: '/content', message: fileContentRule }])
}
