import type { FastifyInstance } from 'fastify'
import { addAppPage } from './app-page.ts'
import { addDeliveryRoutes } from './deliveries.ts'
import type { AdminOptions } from './layout.ts'
import { addLocationRoutes } from './locations.ts'
import { addOrderPage } from './order-page.ts'
import { addOrderRoutes } from './orders.ts'
import { addOverviewRoutes } from './overview.ts'
import { addProductRoutes } from './products.ts'

/** The admin pages of every shop. */
export function addAdminRoutes(app: FastifyInstance, options: AdminOptions) {
  addOverviewRoutes(app, options)
  addProductRoutes(app, options)
  addOrderRoutes(app, options)
  addOrderPage(app, options)
  addLocationRoutes(app, options)
  addDeliveryRoutes(app, options)
  addAppPage(app, options)
}
