import { ServerClient } from 'postmark'
import type { Test } from 'tap'
import { type Platform, type PlatformOptions, startPlatform } from '../../../dev/simulator/server.ts'

export const keys = {
  apiKey: 'app-key',
  apiSecret: 'app-secret-of-at-least-32-characters',
  serverToken: 'token',
}

/** Starts a simulator for one test, with the official Postmark client. */
export async function startSimulator(
  t: Test,
  options: Partial<PlatformOptions> = {},
): Promise<{ platform: Platform; client: ServerClient }> {
  const platform = await startPlatform({ ...keys, ...options })
  t.teardown(platform.close)
  return { platform, client: clientOf(platform, keys.serverToken) }
}

/** `timeout`: after so many seconds the client gives up. */
export function clientOf(platform: Platform, token: string, timeout = 60): ServerClient {
  return new ServerClient(token, { useHttps: false, requestHost: `127.0.0.1:${platform.port}`, timeout })
}

/** A valid mail. Tests change single fields. */
export const mail = {
  From: 'Demo Shop <shop@example.com>',
  To: 'orders@example.org',
  Subject: 'Purchase order PO-00001',
  TextBody: 'Please find our order attached.',
  Metadata: { reference: 'a-1' },
}

export const pdf = {
  Name: 'PO-00001.pdf',
  Content: Buffer.from('%PDF-1.4 nothing in it').toString('base64'),
  ContentType: 'application/pdf',
  ContentID: null,
}

/** Checks that the mail service responds with an error of this status. */
export async function expectRefusal(t: Test, request: Promise<unknown>, statusCode: number): Promise<void> {
  t.match(await request.catch((error: unknown) => error), { statusCode })
}
