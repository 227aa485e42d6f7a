/** How often is looked at what moves by itself, in milliseconds. */
export const someMoments = 3_000
