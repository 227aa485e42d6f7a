/** The limit of `variantIds` in one request. */
const maxVariants = 100

/** The ids of variants in parts that a request can name. */
export const variantParts = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / maxVariants) }, (_, at) =>
    ids.slice(at * maxVariants, (at + 1) * maxVariants),
  )
