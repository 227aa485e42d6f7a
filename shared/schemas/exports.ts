import { type Static, Type } from '@sinclair/typebox'
import { choices, Id, Nullable, Timestamp } from './common.ts'

export const ExportState = choices('running', 'done', 'failed')

/** A ZIP file with every list of the shop. */
export const Export = Type.Object({
  id: Id,
  state: ExportState,
  progress: Type.Number({ description: 'From 0 to 1' }),
  url: Nullable(Type.String({ description: 'Where the file is downloaded; null until it is done' })),
  fileName: Type.String({ description: 'Empty until the worker has begun' }),
  fileCount: Type.Integer({ description: 'Files in the ZIP file' }),
  rowCount: Type.Integer({ description: 'Rows in all lists together' }),
  size: Type.Integer({ description: 'Bytes of the ZIP file' }),
  error: Type.String({ description: 'A sentence for the merchant when the export failed; else empty' }),
  createdBy: Type.String(),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  expiresAt: Nullable(Type.String({ format: 'date-time', description: 'When the file is deleted' })),
})
export type Export = Static<typeof Export>
