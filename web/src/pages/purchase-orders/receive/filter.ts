/** The draft to continue, in the URL. */
export function readDraft(search: Record<string, unknown>): { draft?: number } {
  const draft = Number(search.draft)
  return Number.isSafeInteger(draft) && draft > 0 ? { draft } : {}
}
