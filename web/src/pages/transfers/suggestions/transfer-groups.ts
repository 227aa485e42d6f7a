import type { TransferSuggestion } from '../../../../../shared/schemas/transfer-suggestions.ts'

export type TransferGroup = {
  key: string
  from: string
  to: string
  suggestions: readonly TransferSuggestion[]
}

export const keyOf = ({ ruleId, sourceLocationId }: TransferSuggestion) => `${ruleId} ${sourceLocationId}`

/** One group for each pair of locations, by name; each becomes a transfer. */
export function groupTransfers(suggestions: readonly TransferSuggestion[]): TransferGroup[] {
  return [
    ...Map.groupBy(
      suggestions,
      ({ sourceLocationId, destinationLocationId }) => `${sourceLocationId} ${destinationLocationId}`,
    ),
  ]
    .map(([key, ofPair]) => ({
      key,
      from: ofPair[0]?.sourceLocationName ?? '',
      to: ofPair[0]?.destinationLocationName ?? '',
      suggestions: ofPair.toSorted((a, b) => a.title.localeCompare(b.title)),
    }))
    .sort((a, b) => a.from.localeCompare(b.from) || a.to.localeCompare(b.to))
}
