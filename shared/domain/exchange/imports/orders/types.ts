import type { FoundVariant } from '../match-variants.ts'

/** A line of an order that is imported. `accepted` arrived before the import; `cancelled` will not arrive. */
export type PlannedLine = {
  position: number
  /** The number of the line in the file, by which receipts and charges name it. */
  lineIndex: number | null
  variant: FoundVariant
  /** As the order names the product; null: as the shop does. */
  sku: string | null
  title: string | null
  quantity: number
  roundedUpBy: number
  packSize: number
  accepted: number
  cancelled: number
  credited: number
  /** A day, an instant, or null when the file does not say it. */
  receivedAt: string | null
  /** In the currency of the order. Null: the file does not say it. */
  cost: number | null
  /** The cost in the shop's currency, where the file has one beside that of the supplier. */
  baseCost: number | null
  supplierSku: string
  taxRate: number
  discountPercent: number
}

export type PlannedReceipt = {
  at: string
  /** Empty: where the order goes. */
  location: string
  deliveryNote: string
  notes: string
  lines: {
    line: PlannedLine
    quantity: number
    rejected: number
    rejectReason: string
    rejectOutcome: 'replace' | 'credit' | null
    unitCost: number | null
  }[]
}

export type PlannedCharge = {
  kind: string
  amount: number
  /** Null: the order's. */
  currency: string | null
  rate: number | null
  taxRate: number
  basis: string
  /** Indexes of lines; null: all of them. */
  lines: number[] | null
  /** By index of the line. */
  shares: [lineIndex: number, amount: number][] | null
  isEstimate: boolean
}

export type OrderPlan = {
  number: string
  /** The number in the system that the file comes from. */
  sourceNumber: string
  supplierRef: string
  supplierName: string
  currency: string | null
  rate: number | null
  status: 'draft' | 'sent' | 'partial' | 'received' | 'cancelled'
  createdAt: string | null
  sentAt: string | null
  /** The file says when the order was sent; else `sentAt` is a guess. */
  isSentAtKnown: boolean
  expectedAt: string | null
  orderedAt: string | null
  arrivedAt: string | null
  invoiceNumber: string
  invoiceDate: string | null
  paymentDueOn: string | null
  paidAt: string | null
  location: string
  notes: string
  supplierNotes: string
  reference: string
  supplierReference: string
  copies: string[]
  revision: number
  discount: number
  /** Null: computed from the lines' taxes and the discount. */
  tax: number | null
  /** Of an order without lines. */
  total: number
  closedAt: string | null
  closedBy: string
  cancelledAt: string | null
  cancelledBy: string
  isArrivalKnown: boolean
  /** The file says what arrived, or that nothing did. */
  isArrivalSaid: boolean
  lines: PlannedLine[]
  /** Null: the file says only when each line came. */
  receipts: PlannedReceipt[] | null
  charges: PlannedCharge[]
}

/** By position: rows that cannot be imported, and rows that are left out, each with the reason. */
export type PlanResult = {
  plan: OrderPlan | null
  faults: Map<number, string>
  skipped: Map<number, string>
}
