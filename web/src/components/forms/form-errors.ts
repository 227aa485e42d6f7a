import { ApiError } from '../../api/api-error.ts'

/** Faults by the field they stand at: `/contacts/0/name` is `contacts.0.name`. */
export type FieldErrors = Record<string, string>

/** What the API says about fields, each at its own. */
export function fieldErrors(error: unknown): FieldErrors {
  if (!(error instanceof ApiError)) return {}
  return Object.fromEntries(
    error.details.map(({ path, message }) => [path.slice(1).replaceAll('/', '.'), asSentence(message)]),
  )
}

const asSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
