import type { AttachmentInput } from '../../../shared/schemas/attachments.ts'
import type { Person } from '../core/people.ts'
import { makeOrder } from './orders.ts'

/** A valid PNG of one pixel. */
export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A valid upload of a picture. Tests change single fields. */
export const attachment = (
  fields: Partial<AttachmentInput> & Pick<AttachmentInput, 'subject' | 'subjectId'>,
): AttachmentInput => ({ name: 'box.png', content: png.toString('base64'), ...fields })

/** Attaches a picture, by default to a new order; returns its id. */
export async function makeAttachment(person: Person, fields: Partial<AttachmentInput> = {}): Promise<number> {
  const subject = fields.subject ?? 'purchase_order'
  const subjectId = fields.subjectId ?? (await makeOrder(person)).id
  const response = await person.post('/api/attachments', attachment({ ...fields, subject, subjectId }))
  if (response.statusCode !== 201) throw new Error(response.body)
  return response.json().data.id
}
