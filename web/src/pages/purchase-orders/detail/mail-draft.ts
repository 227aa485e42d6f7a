import type { SendPreview } from '../../../../../shared/schemas/purchase-orders.ts'
import type { Supplier } from '../../../../../shared/schemas/suppliers.ts'
import type { FieldErrors } from '../../../components/forms/form-errors.ts'

export type Draft = Pick<SendPreview, 'to' | 'cc' | 'subject' | 'body'>

/** Only what the user has changed: the API chooses the rest, and an untouched long text needs no limit. */
export function changedFields(draft: Draft, opened: Draft): Partial<Draft> {
  const isSame = (name: keyof Draft) => JSON.stringify(draft[name]) === JSON.stringify(opened[name])
  const names = (['to', 'cc', 'subject', 'body'] as const).filter((name) => !isSame(name))
  return Object.fromEntries(names.map((name) => [name, draft[name]]))
}

/** The error of a list, or of its first wrong address, which it names. */
export function listError(errors: FieldErrors, name: 'to' | 'cc', list: string[]): string | undefined {
  const at = list.findIndex((_address, index) => errors[`${name}.${index}`])
  return at === -1 ? errors[name] : `${list[at]}: ${errors[`${name}.${at}`]}`
}

/** The addresses of the supplier and its contacts, each once. */
export const suggestedAddresses = ({ email, contacts }: Supplier): string[] => [
  ...new Set([email, ...contacts.map((contact) => contact.email)].filter(Boolean)),
]

/** A pasted list is several addresses. */
export const splitAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean)
