import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconCalendarEvent,
  IconChartBar,
  IconClipboardCheck,
  IconClipboardList,
  IconHome,
  IconPackageImport,
  IconPackages,
  IconRefresh,
  IconSettings,
  IconShoppingCart,
  IconTransfer,
  IconTruckDelivery,
  IconTruckReturn,
} from '@tabler/icons-react'

/** The items of the navigation. `isTab`: a tab of the bottom bar on phones; the others are behind "More". */
export const navigation = [
  { to: '/', name: 'Home', icon: IconHome, isTab: true },
  {
    to: '/purchase-orders',
    name: 'Purchase orders',
    short: 'Orders',
    icon: IconClipboardList,
    isTab: true,
  },
  { to: '/replenishment', name: 'Replenishment', icon: IconShoppingCart },
  { to: '/receipts', name: 'Receipts', icon: IconPackageImport },
  { to: '/suppliers', name: 'Suppliers', icon: IconTruckDelivery },
  { to: '/returns', name: 'Returns', icon: IconTruckReturn },
  { to: '/reorder', name: 'Reorder', icon: IconAdjustmentsHorizontal },
  { to: '/demand-events', name: 'Events', icon: IconCalendarEvent },
  { to: '/stock', name: 'Stock', icon: IconPackages, isTab: true },
  { to: '/transfers', name: 'Transfers', icon: IconTransfer },
  { to: '/counts', name: 'Counts', icon: IconClipboardCheck, isTab: true },
  { to: '/reports', name: 'Reports', icon: IconChartBar },
  { to: '/alerts', name: 'Alerts', icon: IconBell },
  { to: '/imports', name: 'Move in', icon: IconPackageImport },
  { to: '/settings', name: 'Settings', icon: IconSettings },
  { to: '/sync', name: 'Sync', icon: IconRefresh },
] as const

export type NavigationItem = (typeof navigation)[number]
