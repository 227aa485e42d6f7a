/**
 * The pages of the navigation, in the order of the merchant's work: buying, stock, looking back. A shop admin draws them as
 * one flat list, so the pages that belong to another one (`under`) are reached from that page and mark it as current.
 * `isTab`: a tab of our own bottom bar on phones; the others are behind "More".
 */
export const navigation = [
  { to: '/', name: 'Home', isTab: true },
  {
    to: '/purchase-orders',
    name: 'Purchase orders',
    short: 'Orders',
    isTab: true,
  },
  {
    to: '/receipts',
    name: 'Receipts',
    under: ['/returns'],
  },
  { to: '/suppliers', name: 'Suppliers' },
  {
    to: '/replenishment',
    name: 'Replenishment',
    under: ['/buying-budgets', '/demand-events'],
  },
  { to: '/reorder', name: 'Reorder' },
  { to: '/stock', name: 'Stock', isTab: true, under: ['/variants'] },
  { to: '/transfers', name: 'Transfers' },
  { to: '/counts', name: 'Counts', isTab: true },
  { to: '/reports', name: 'Reports' },
  { to: '/alerts', name: 'Alerts' },
  {
    to: '/settings',
    name: 'Settings',
    under: ['/imports', '/sync'],
  },
] as const

export type NavigationItem = (typeof navigation)[number]
