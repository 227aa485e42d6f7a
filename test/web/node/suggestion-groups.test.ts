import t from 'tap'
import type { ReorderSuggestion } from '../../../shared/schemas/reorder-suggestions.ts'
import { groupSuggestions } from '../../../web/src/pages/reorder/suggestions/suggestion-groups.ts'

/** A suggestion that can be ordered. Tests change single fields. */
const suggestion = (title: string, fields: Partial<ReorderSuggestion> = {}): ReorderSuggestion => ({
  variantId: 'gid://platform/ProductVariant/1',
  productId: 'gid://platform/Product/1',
  sku: 'SKU-1',
  title,
  currentStock: 5,
  reorderPoint: 20,
  reorderQuantity: 50,
  supplierId: 1,
  supplierName: 'Acme',
  ruleId: 1,
  locationId: null,
  locationName: null,
  onOrder: 0,
  inTransit: 0,
  position: 5,
  suggestedQuantity: 50,
  inDraft: 0,
  drafts: [],
  avgDailySales: 1,
  leadTimeDays: 14,
  stockoutDate: null,
  orderByDate: null,
  supplierSku: '',
  packSize: 1,
  unitCost: null,
  currency: 'USD',
  roundedUpBy: 0,
  explanation: '5 available.',
  method: '30d',
  wape: null,
  gapOn: null,
  gapUntil: null,
  arrivingInGap: 0,
  lateOnOrder: 0,
  inTimePosition: 5,
  confidence: 'low',
  ...fields,
})

t.test(
  'suggestions are grouped by supplier, the most urgent first, and those that cannot be ordered last',
  async (t) => {
    const groups = groupSuggestions([
      suggestion('without supplier', { supplierId: null, supplierName: null }),
      suggestion('of Bolt', { supplierId: 2, supplierName: 'bolt' }),
      suggestion('on order', { suggestedQuantity: 0, orderByDate: '2026-01-01' }),
      suggestion('in a draft', { inDraft: 3, orderByDate: '2026-01-01' }),
      suggestion('b, not selling'),
      suggestion('a, not selling'),
      suggestion('later', { orderByDate: '2026-03-02' }),
      suggestion('sooner', { orderByDate: '2026-03-01' }),
      suggestion('of another Acme', { supplierId: 3 }),
    ])
    t.strictSame(
      groups.map(({ supplierName, suggestions }) => [supplierName, ...suggestions.map(({ title }) => title)]),
      [
        ['Acme', 'sooner', 'later', 'a, not selling', 'b, not selling', 'in a draft', 'on order'],
        ['Acme', 'of another Acme'],
        ['bolt', 'of Bolt'],
        ['', 'without supplier'],
      ],
    )
  },
)
