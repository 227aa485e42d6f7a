/** The sorts of a list that is sorted by time alone. */
export const ageSorts = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
]
