/**
 * The next state of a stored mail (`shared/domain/documents/purchase-orders/mail/mail.ts` has the states). Without `inSeconds`, which enqueues a
 * new job, `queued` waits for its job and `unknown` is settled.
 */
export type MailStep =
  | { state: 'sent'; messageId: string }
  | { state: 'failed'; reason: string }
  | { state: 'queued' | 'unknown'; reason: string; inSeconds?: number }
