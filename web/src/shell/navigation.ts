import {
  IconAdjustmentsHorizontal,
  IconBell,
  IconChartBar,
  IconClipboardCheck,
  IconClipboardList,
  IconHome,
  IconPackages,
  IconRefresh,
  IconSettings,
  IconTransfer,
  IconTruckDelivery,
} from '@tabler/icons-react'

/** Where one can go to. What is done on the phone in a stockroom comes first there; the rest stands behind "More". */
export const navigation = [
  { to: '/', name: 'Home', icon: IconHome, isFirst: true },
  {
    to: '/purchase-orders',
    name: 'Purchase orders',
    short: 'Orders',
    icon: IconClipboardList,
    isFirst: true,
  },
  { to: '/suppliers', name: 'Suppliers', icon: IconTruckDelivery },
  { to: '/reorder', name: 'Reorder', icon: IconAdjustmentsHorizontal },
  { to: '/stock', name: 'Stock', icon: IconPackages, isFirst: true },
  { to: '/transfers', name: 'Transfers', icon: IconTransfer },
  { to: '/counts', name: 'Counts', icon: IconClipboardCheck, isFirst: true },
  { to: '/reports', name: 'Reports', icon: IconChartBar },
  { to: '/alerts', name: 'Alerts', icon: IconBell },
  { to: '/settings', name: 'Settings', icon: IconSettings },
  { to: '/sync', name: 'Sync', icon: IconRefresh },
] as const

export type Place = (typeof navigation)[number]
