import type { IncomingMessage } from 'node:http'
import { unavailable } from '../../shared/errors.ts'
import { HttpError } from '../http/errors.ts'

/** Larger bodies leave a share of the budget to the others. With the requested fields only, webhooks are smaller. */
const maxSmallBytes = 256 * 1024
const shareOfLarge = 0.75
/** The platform sends a body at once and gives up after 5 s, so an older upload is probably not one of the platform's. */
const minUndisturbedMs = 1_000

type Upload = { bytes: number; since: number; refuse: () => void }

/**
 * Receives bodies before their signature can be checked, in bounded memory. Each upload reserves the bytes of its
 * Content-Length, without one `maxBodyBytes`, until its body is complete. When the budget `maxBytes` is used up:
 * 1. The oldest uploads that last for more than a second are refused, as many as are necessary. So a client that holds
 *    back its last byte blocks no other for longer.
 * 2. If that is not enough, the new upload is refused before its body is read.
 * A large upload finds only three quarters of the budget, so small ones are received while large ones use up their share.
 *
 * Example with 64 MiB: 9 uploads of 5 MiB (45 MiB) are received, the tenth would exceed 48 MiB and is refused in the
 * first second; an order of 20 kB is received. A second later a tenth upload takes the place of the first.
 */
export function createBodyReceiver({ maxBytes, maxBodyBytes }: { maxBytes: number; maxBodyBytes: number }) {
  /** In the order of their arrival. */
  const uploads = new Set<Upload>()
  let reserved = 0

  function reserve(upload: Upload): void {
    const limit = upload.bytes > maxSmallBytes ? maxBytes * shareOfLarge : maxBytes
    let excess = reserved + upload.bytes - limit
    const slow: Upload[] = []
    for (const other of uploads) {
      if (excess <= 0 || upload.since - other.since < minUndisturbedMs) break
      slow.push(other)
      excess -= other.bytes
    }
    if (excess > 0) throw unavailable('Too many requests are being received. Send it again.')
    for (const { refuse } of slow) refuse()
    uploads.add(upload)
    reserved += upload.bytes
  }

  return (request: IncomingMessage): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      const bytes = Number(request.headers['content-length'] ?? maxBodyBytes)
      if (bytes > maxBodyBytes) throw tooLarge(maxBodyBytes)
      let body: Buffer | undefined
      let received = 0
      const upload: Upload = { bytes, since: performance.now(), refuse: () => fail(tooSlow()) }
      reserve(upload)

      function receive(chunk: Buffer): void {
        if (received + chunk.length > bytes) fail(tooLarge(maxBodyBytes))
        else if (chunk.length === bytes) body = chunk
        else {
          // the system assigns its memory as it is filled
          body ??= Buffer.allocUnsafeSlow(bytes)
          chunk.copy(body, received)
        }
        received += chunk.length
      }
      function end(): Buffer | undefined {
        if (uploads.delete(upload)) reserved -= bytes
        request.off('data', receive)
        const complete = body
        body = undefined
        return complete
      }
      function fail(error: Error): void {
        end()
        request.resume()
        reject(error)
      }
      // both events also follow a complete body, and an error costs more than the rest of a small upload
      const stop = () => uploads.has(upload) && fail(incomplete())
      request.on('data', receive)
      request.on('end', () => resolve(end()?.subarray(0, received) ?? Buffer.alloc(0)))
      request.on('error', stop)
      request.on('close', stop)
    })
}

const closing = { connection: 'close' }

const tooLarge = (maxBodyBytes: number) =>
  new HttpError({
    status: 413,
    code: 'payload_too_large',
    message: `The body is larger than ${maxBodyBytes / 1024 / 1024} MiB.`,
    headers: closing,
  })

const tooSlow = () =>
  new HttpError({
    status: 503,
    code: 'unavailable',
    message: 'The body did not arrive in time. Send it again.',
    headers: { ...closing, 'retry-after': '2' },
  })

const incomplete = () =>
  new HttpError({ status: 400, code: 'invalid_request', message: 'The request ended before its body.' })
