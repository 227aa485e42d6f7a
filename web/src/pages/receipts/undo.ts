import type { ReceiptDetail } from '../../../../shared/schemas/receipts.ts'

/** What undoing a receipt does. Goods of an imported receipt came before the import, which moved no stock. */
export function meaningOfUndo({
  purchaseOrderId,
  isImported,
  locationName,
}: Pick<ReceiptDetail, 'purchaseOrderId' | 'isImported' | 'locationName'>): string {
  if (isImported) {
    const effect =
      purchaseOrderId === null ? 'Marks the receipt as reversed' : 'Marks these items as outstanding again'
    return `${effect}. Stock stays as it is: the import of this receipt did not change it.`
  }
  const again = purchaseOrderId === null ? '' : ' and marks them as outstanding again'
  return `Removes these items from stock at ${locationName}${again}.`
}
