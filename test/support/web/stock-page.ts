import type { StockLevel } from '../../../shared/schemas/stock-levels.ts'
import type { StockMovement } from '../../../shared/schemas/stock-movements.ts'
import type { Admin } from '../core/admin.ts'
import { until } from '../core/until.ts'

/** Opens the list of stock with one level in stock, and what changes and reads it. */
export async function openStock({ shop, get, open }: Admin) {
  const levels = await get<StockLevel[]>('/stock-levels')
  const level = levels.find(({ currentStock }) => currentStock > 0)
  if (!level) throw new Error('No product is in stock')
  const { variantId, locationId, title, sku, locationName } = level
  const name = `${title} at ${locationName}`

  const appStock = async () => {
    const results = await get<StockLevel[]>(
      `/stock-levels?${new URLSearchParams({ search: sku, locationId })}`,
    )
    return results.find((level) => level.variantId === variantId)?.currentStock
  }
  const platformStock = () => shop.stockOf(variantId, locationId)
  const untilBoth = (quantity: number) =>
    until(
      async () => (await appStock()) === quantity && platformStock() === quantity,
      `${quantity} in the app and on the platform`,
    )
  const moves = async () => {
    const results = await get<StockMovement[]>(
      `/stock-movements?${new URLSearchParams({ variantId, locationId })}`,
    )
    return results
      .filter(({ kind }) => kind !== 'platform')
      .map(({ kind, delta, reason }) => [kind, delta, reason])
  }

  const tab = await open('/stock')
  const { app } = tab
  const dialog = app.getByRole('dialog')
  const row = app.getByRole('row', { name: title }).filter({ hasText: locationName })
  return {
    ...{ tab, dialog, row, level, name, appStock, platformStock, untilBoth, moves },
    /** The available quantity is the last number of the row. */
    shown: (quantity: number) => row.getByText(String(quantity), { exact: true }).last().waitFor(),
    /** Shows the rows of the product. */
    findRow: async () => {
      await app.getByRole('searchbox', { name: 'Search' }).fill(sku)
      // the chip of the search moves the rows down
      await app.getByRole('button', { name: `Remove filter Search: ${sku}` }).waitFor()
      await row.waitFor()
    },
    change: async (way: string, quantity: number, reason = '') => {
      await app.getByRole('button', { name: `Adjust ${name}` }).click()
      await dialog.getByText(way, { exact: true }).click()
      await dialog.getByLabel(/quantity/i).fill(String(quantity))
      if (reason) await dialog.getByRole('button', { name: reason }).click()
      await dialog.getByRole('button', { name: 'Save' }).click()
    },
  }
}
