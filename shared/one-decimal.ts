/** Rounds to one decimal; never -0. */
export const oneDecimal = (number: number): number => Math.round(number * 10) / 10 + 0
