const names: Record<string, string> = {
  orderId: 'Id of the order',
  number: 'Number of the order',
  supplierId: 'Id of the supplier',
  externalRef: 'Id of the supplier',
  orderedAt: 'Ordered on',
  createdAt: 'Created on',
  expectedAt: 'Expected on',
  paidAt: 'Paid',
  receivedAt: 'Received on',
  countedAt: 'Counted on',
  baseCost: "Unit cost in the shop's currency",
  supplierCost: "Unit cost in the supplier's currency",
  cost: 'Unit cost',
  sku: 'SKU',
  supplierSku: 'Supplier’s SKU',
  inventoryItemId: 'Inventory item id',
  variantId: 'Variant id',
  lineId: 'Id of the line',
  lineStatus: 'Status of the line',
  total: 'Total of the order',
  received: 'Received pieces, or "3 of 10"',
  taxRate: 'Tax in percent',
  discountPercent: 'Discount in percent',
  isHidden: 'Hidden',
  countryCode: 'Country',
}

/** "invoiceNumber" as "Invoice number". */
export function fieldName(field: string): string {
  const words = field.replace(/([A-Z0-9]+)/g, (part) => ` ${part.toLowerCase()}`)
  return names[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
