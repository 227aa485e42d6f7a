import { type Static, Type } from '@sinclair/typebox'
import { choices, FileContent, Id, pageFields, Strict, Text, Timestamp } from './common.ts'

/** The documents that files can be attached to. */
export const AttachmentSubject = choices(
  'purchase_order',
  'receipt',
  'supplier_return',
  'stock_transfer',
  'stock_count',
)
export type AttachmentSubject = Static<typeof AttachmentSubject>

export const maxAttachmentBytes = 2 * 1024 * 1024
export const maxAttachments = 20

/** The types that are accepted, by their bytes. The key is the media type, the first extension the usual one. */
export const attachmentTypes = {
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'application/pdf': ['pdf'],
} as const
export type AttachmentType = keyof typeof attachmentTypes

/** `subjectId` needs `subject`. */
export const AttachmentFilter = Strict({
  subject: Type.Optional(AttachmentSubject),
  subjectId: Type.Optional(Id),
  ...pageFields,
})
export type AttachmentFilter = Static<typeof AttachmentFilter>

export const AttachmentInput = Strict({
  subject: AttachmentSubject,
  subjectId: Id,
  name: Text(200, 1),
  content: FileContent,
})
export type AttachmentInput = Static<typeof AttachmentInput>

/** 2 MiB in base64, and room for the other fields. */
export const maxAttachmentBody = Math.ceil(maxAttachmentBytes / 3) * 4 + 16 * 1024

export const Attachment = Type.Object({
  id: Id,
  subject: AttachmentSubject,
  subjectId: Id,
  name: Type.String(),
  mediaType: Type.String({ description: 'By the bytes, not by the name' }),
  size: Type.Integer({ description: 'Bytes' }),
  sha256: Type.String(),
  createdBy: Type.String(),
  createdAt: Timestamp,
})
export type Attachment = Static<typeof Attachment>
