import { type Static, Type } from '@sinclair/typebox'
import { choices, Day, EmailList, Nullable, Strict, Timestamp, Version, Whole } from './common.ts'

/** `due`: not computed yet; `made`: with mails; `skipped`: the digest was turned off, or a newer one exists. */
const DigestState = choices('due', 'made', 'nothing_new', 'skipped')

/** `last`: the newest digest. */
export const DigestSettings = Type.Object({
  enabled: Type.Boolean(),
  hour: Type.Integer({ description: 'Hour of the shop’s day, 0 to 23' }),
  recipients: Type.Array(Type.String()),
  version: Type.Integer({ description: 'Rises with each change, also when a recipient unsubscribes' }),
  last: Nullable(
    Type.Object({
      day: Day,
      state: DigestState,
      sent: Type.Integer({ description: 'Mails that the mail service accepted' }),
      failed: Type.Integer({ description: 'Mails that failed, or that the mail service did not confirm' }),
      pending: Type.Integer(),
    }),
  ),
})
export type DigestSettings = Static<typeof DigestSettings>

export const DigestSettingsPatch = Type.Partial(
  Strict({
    enabled: Type.Boolean(),
    hour: Whole(0, 23),
    recipients: EmailList(0, 5),
    version: Version,
  }),
)
export type DigestSettingsPatch = Static<typeof DigestSettingsPatch>

/** In the order of the mail. */
export const DigestSectionName = choices(
  'late_orders',
  'due_drafts',
  'to_order',
  'low_stock',
  'failed_mails',
  'failed_stock_changes',
)
export type DigestSectionName = Static<typeof DigestSectionName>

const DigestSection = Type.Object({
  name: DigestSectionName,
  title: Type.String(),
  total: Type.Integer(),
  lines: Type.Array(Type.Object({ text: Type.String(), isNew: Type.Boolean() }), {
    description: 'At most 20, new ones first',
  }),
})
export type DigestSection = Static<typeof DigestSection>

/** What a mail contains, as it is stored when the digest is made. */
export const DigestContent = Type.Object({ subject: Type.String(), sections: Type.Array(DigestSection) })
export type DigestContent = Static<typeof DigestContent>

export const DigestPreview = Type.Object({
  ...DigestContent.properties,
  isNew: Type.Boolean({ description: 'Something is new since the last digest: it would be sent' }),
})
export type DigestPreview = Static<typeof DigestPreview>

/** A digest that the merchant sent as a test, with a mail for each recipient. */
export const DigestTest = Type.Object({
  requestedAt: Timestamp,
  mails: Type.Array(
    Type.Object({
      recipient: Type.String(),
      state: choices('pending', 'sent', 'failed'),
      reason: Type.String({ description: 'Why the mail failed, or is not sent yet' }),
    }),
  ),
})
export type DigestTest = Static<typeof DigestTest>

export const LastDigestTest = Type.Object({ last: Nullable(DigestTest) })
