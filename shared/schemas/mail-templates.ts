import { type Static, Type } from '@sinclair/typebox'
import { choices, LongText, Nullable, Strict, Text, Timestamp } from './common.ts'

/** `revision`: says what a revision of a sent order changed. */
export const MailKind = choices('purchase_order', 'revision')
export type MailKind = Static<typeof MailKind>

const commonPlaceholders = [
  'poNumber',
  'orderedAt',
  'expectedAt',
  'deliverTo',
  'contactName',
  'supplierName',
  'shopName',
  'reference',
  'supplierReference',
  'lineCount',
  'total',
  'supplierNotes',
  'companyDetails',
] as const

/** The names that a template may have in `{{…}}`. */
export const mailPlaceholders: Record<MailKind, readonly string[]> = {
  purchase_order: commonPlaceholders,
  revision: [...commonPlaceholders, 'revision', 'changes'],
}

export const MailTemplateParams = Strict({ kind: MailKind })

const words = { subject: Text(200, 1), body: LongText(10_000, 1) }

export const MailTemplateText = Strict(words)
export type MailTemplateText = Static<typeof MailTemplateText>

/** With `version`, the update fails with `stale_version` when another request has changed the template since. */
export const MailTemplateInput = Strict({
  ...words,
  version: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, rule: 'must be the version that was read' }),
  ),
})
export type MailTemplateInput = Static<typeof MailTemplateInput>

export const MailTemplate = Type.Object({
  kind: MailKind,
  subject: Type.String(),
  body: Type.String(),
  isOwn: Type.Boolean({ description: 'False: the standard text, in the language of the shop' }),
  version: Type.Integer({ description: '0: the standard text' }),
  updatedAt: Nullable(Timestamp),
  placeholders: Type.Array(Type.String(), { description: 'The names that {{…}} may have' }),
})
export type MailTemplate = Static<typeof MailTemplate>

/** Subject and text of a template for an example order. */
export const MailTemplateSample = Type.Object({ subject: Type.String(), body: Type.String() })
export type MailTemplateSample = Static<typeof MailTemplateSample>
