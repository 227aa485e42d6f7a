/** The parameter for a text column in a patch: null clears it (empty string), undefined keeps it (SQL null). */
export function cleared(value: string | null | undefined): string | null {
  return value === undefined ? null : (value ?? '')
}
