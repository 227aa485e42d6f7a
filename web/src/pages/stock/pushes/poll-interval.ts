/** How often lists with unfinished pushes are read again, in milliseconds. */
export const pollIntervalMs = 3_000
