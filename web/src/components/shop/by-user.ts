/** The end of an entry in a timeline; empty when the person is not known. Example: " by user 7". */
export const byUser = (person: string | null) => (person ? ` by user ${person}` : '')
