import { type Namespace, parseGid } from '../shops/ids.ts'
import type { Shop } from '../shops/shop.ts'
import type { LevelKey } from '../shops/stock.ts'
import { findLocation } from './stock-views.ts'

export type UserError = { code: string; field: string[] | null; message: string }

export const userError = (code: string, field: string[] | null, message: string): UserError => ({
  code,
  field,
  message,
})

export const reasons = [
  'correction',
  'cycle_count_available',
  'damaged',
  'movement_canceled',
  'movement_created',
  'movement_received',
  'movement_updated',
  'other',
  'promotion',
  'quality_control',
  'received',
  'reservation_created',
  'reservation_deleted',
  'reservation_updated',
  'restock',
  'safety_stock',
  'shrinkage',
]

/** The errors in the reason and the document of a stock change. */
export function checkCause(input: { reason: string; referenceDocumentUri?: string | null }): UserError[] {
  const errors: UserError[] = []
  if (!reasons.includes(input.reason))
    errors.push(userError('INVALID_REASON', ['input', 'reason'], 'The specified reason is invalid.'))
  const uri = input.referenceDocumentUri
  if (uri != null && !isDocumentUri(uri))
    errors.push(
      userError(
        'INVALID_REFERENCE_DOCUMENT',
        ['input', 'referenceDocumentUri'],
        'The specified reference document is invalid.',
      ),
    )
  return errors
}

/** The level that an input line refers to, or the error when there is none. */
export function findLevelKey(
  shop: Shop,
  line: { inventoryItemId: string; locationId: string },
  field: string[],
): LevelKey | UserError {
  const gid = parseGid(shop.namespace, line.inventoryItemId)
  const item = gid?.type === 'InventoryItem' ? shop.catalogue.itemKey(gid.id) : undefined
  if (!item || shop.catalogue.variantsOfItem(item).length === 0)
    return userError(
      'INVALID_INVENTORY_ITEM',
      [...field, 'inventoryItemId'],
      'The specified inventory item could not be found.',
    )
  const location = findLocation(shop, line.locationId)
  if (location === undefined || !shop.locations[location]?.isActive)
    return userError(
      'INVALID_LOCATION',
      [...field, 'locationId'],
      'The specified location could not be found.',
    )
  if (!shop.stock.level({ item, location }))
    return userError(
      'ITEM_NOT_STOCKED_AT_LOCATION',
      [...field, 'locationId'],
      'The specified inventory item is not stocked at the location.',
    )
  return { item, location }
}

type LedgerLine = { ledgerDocumentUri?: string | null }

/** Every adjustment but that of `available` names one document of the app's own ledger. */
export function checkLedgerDocuments(
  namespace: Namespace,
  name: string,
  lines: readonly LedgerLine[],
): UserError[] {
  const errorOf = ({ ledgerDocumentUri: uri }: LedgerLine): [code: string, message: string] | undefined => {
    if (name === 'available')
      return uri == null
        ? undefined
        : ['INVALID_AVAILABLE_DOCUMENT', 'A ledger document URI is not allowed when adjusting available.']
    if (uri == null)
      return [
        'INVALID_QUANTITY_DOCUMENT',
        'A ledger document URI is required except when adjusting available.',
      ]
    if (uri.startsWith(`gid://${namespace}/`))
      return ['INTERNAL_LEDGER_DOCUMENT', 'Internal ledger documents are not allowed to be adjusted via API.']
    if (!isDocumentUri(uri)) return ['INVALID_LEDGER_DOCUMENT', 'The specified ledger document is invalid.']
    if (uri !== lines[0]?.ledgerDocumentUri)
      return ['MAX_ONE_LEDGER_DOCUMENT', 'All changes must have the same ledger document URI.']
    return undefined
  }
  return lines.flatMap((line, index) => {
    const [code, message] = errorOf(line) ?? []
    const field = ['input', 'changes', String(index), 'ledgerDocumentUri']
    return code && message ? [userError(code, field, message)] : []
  })
}

const isDocumentUri = (uri: string) => /^[a-z][a-z0-9+.-]*:\/\/[^\s/]+(\/[^\s/]+)*\/?$/i.test(uri)

export const isError = (found: LevelKey | UserError): found is UserError => 'code' in found

export function checkBounds(quantity: number, high: number, low: number, field: string[]): UserError[] {
  const formatted = (bound: number) => bound.toLocaleString('en')
  if (quantity > high) {
    const message = `The quantity can't be higher than ${formatted(high)}.`
    return [userError('INVALID_QUANTITY_TOO_HIGH', field, message)]
  }
  if (quantity >= low) return []
  return [userError('INVALID_QUANTITY_TOO_LOW', field, `The quantity can't be lower than ${formatted(low)}.`)]
}
