import type { Page } from 'playwright-core'
import type { StockCount, StockCountListItem } from '../../../shared/schemas/stock-counts.ts'
import type { Admin, Tab } from '../core/admin.ts'
import { until } from '../core/processes.ts'

type Product = { title: string; variants: { variantId: string; sku: string; barcode: string }[] }
type Level = { variantId: string; currentStock: number }

/** The shop's products with their stock at the first location, and the steps of a count there. */
export async function openCounting({ shop, get }: Admin) {
  const [location] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!location) throw new Error('The shop has no location')
  const at = `locationId=${encodeURIComponent(location.locationId)}`
  const readStock = async (variantId: string) => {
    const [level] = await get<Level[]>(`/stock-levels?${at}&variantId=${encodeURIComponent(variantId)}`)
    return level?.currentStock ?? 0
  }
  const products = await Promise.all(
    (await get<Product[]>('/products')).map(async ({ title, variants: [variant] }) => {
      if (!variant) throw new Error(`${title} has no variant`)
      return { ...variant, title, stock: await readStock(variant.variantId) }
    }),
  )
  return {
    location,
    /** Ordered by stock, the largest first. */
    products: products.sort((a, b) => b.stock - a.stock),
    /** Waits until a product has this quantity, in the app and on the platform. */
    untilStock: async (variantId: string, quantity: number) => {
      await until(async () => (await readStock(variantId)) === quantity, `${quantity} units in the app`)
      const isOnPlatform = () => shop.stockOf(variantId, location.locationId) === quantity
      await until(isOnPlatform, `${quantity} units on the platform`)
    },
    newestCount: async () => {
      const [newest] = await get<StockCountListItem[]>('/stock-counts?limit=1')
      return get<StockCount>(`/stock-counts/${newest?.id}`)
    },
    /** Starts a count from the list of counts. */
    startCount: async ({ app }: Tab, options: ('Add every product' | 'Count blind')[] = []) => {
      await app.getByRole('link', { name: 'Start a count' }).first().click()
      await app.getByRole('combobox', { name: 'Location', exact: true }).click()
      await app.getByRole('option', { name: location.name, exact: true }).click()
      for (const option of options) await app.getByLabel(option).check()
      await app.getByRole('button', { name: 'Start counting' }).click()
      await app.getByLabel('Scan or type').waitFor()
    },
  }
}

/** Types as a scanner does: into the focused element, without delay, and Enter at the end. */
export async function scan({ page }: { page: Page }, code: string, times = 1): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
}
