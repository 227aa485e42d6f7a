import { IconClipboardList, IconTruckDelivery } from '@tabler/icons-react'

/** What there is to go to. A page enters here when it is built. */
export const navigation = [
  { to: '/purchase-orders', name: 'Purchase orders', short: 'Orders', icon: IconClipboardList },
  { to: '/suppliers', name: 'Suppliers', short: 'Suppliers', icon: IconTruckDelivery },
] as const
