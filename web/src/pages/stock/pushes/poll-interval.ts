/** How often is looked at what moves by itself, in milliseconds. */
export const pollIntervalMs = 3_000
