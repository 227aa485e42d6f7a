import type { SendPreview } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Supplier } from '../../../../../shared/schemas/suppliers.ts'

export type Draft = Pick<SendPreview, 'to' | 'cc' | 'subject' | 'body'>

export const draftOf = ({ to, cc, subject, body }: SendPreview): Draft => ({ to, cc, subject, body })

/** Only what the user has changed: the API chooses the rest, and an untouched long text needs no limit. */
export function changedFields(draft: Draft, opened: Draft): Partial<Draft> {
  const isSame = (name: keyof Draft) => JSON.stringify(draft[name]) === JSON.stringify(opened[name])
  const names = (['to', 'cc', 'subject', 'body'] as const).filter((name) => !isSame(name))
  return Object.fromEntries(names.map((name) => [name, draft[name]]))
}

/** The addresses of the supplier and its contacts, each once. */
export const suggestedAddresses = ({ email, contacts }: Supplier): string[] => [
  ...new Set([email, ...contacts.map((contact) => contact.email)].filter(Boolean)),
]
