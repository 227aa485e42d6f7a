import type { Page } from 'playwright-core'
import type { StockCount, StockCountListItem } from '../../../shared/schemas/stock-counts.ts'
import type { Admin, Tab } from '../core/admin.ts'
import { until } from '../core/processes.ts'

type Product = { title: string; variants: { variantId: string; sku: string; barcode: string }[] }
type Level = { variantId: string; currentStock: number }

/** The products of the shop with what the first location has of them, and how to count there. */
export async function meetShelves({ shop, get }: Admin) {
  const [place] = await get<{ locationId: string; name: string }[]>('/locations')
  if (!place) throw new Error('The shop has a location')
  const at = `locationId=${encodeURIComponent(place.locationId)}`
  const stockHere = async (variantId: string) => {
    const [level] = await get<Level[]>(`/stock-levels?${at}&variantId=${encodeURIComponent(variantId)}`)
    return level?.currentStock ?? 0
  }
  const goods = await Promise.all(
    (await get<Product[]>('/products')).map(async ({ title, variants: [variant] }) => {
      if (!variant) throw new Error(`${title} has a variant`)
      return { ...variant, title, stock: await stockHere(variant.variantId) }
    }),
  )
  return {
    place,
    /** Those of which there is the most come first. */
    goods: goods.sort((a, b) => b.stock - a.stock),
    /** Waits until a product has so many pieces, here and on the platform. */
    untilStock: async (variantId: string, pieces: number) => {
      await until(async () => (await stockHere(variantId)) === pieces, `${pieces} pieces here`)
      const isThere = () => shop.stockOf(variantId, place.locationId) === pieces
      await until(isThere, `${pieces} pieces on the platform`)
    },
    newestCount: async () => {
      const [newest] = await get<StockCountListItem[]>('/stock-counts?limit=1')
      return get<StockCount>(`/stock-counts/${newest?.id}`)
    },
    /** Begins a count in a tab that shows the counts. */
    startCount: async ({ app }: Tab, options: ('Begin with all products' | 'Count blind')[] = []) => {
      await app.getByRole('link', { name: 'Start a count' }).first().click()
      await app.getByRole('combobox', { name: 'Location', exact: true }).click()
      await app.getByRole('option', { name: place.name, exact: true }).click()
      for (const option of options) await app.getByLabel(option).check()
      await app.getByRole('button', { name: 'Start counting' }).click()
      await app.getByLabel('Scan or type').waitFor()
    },
  }
}

/** Types as a scanner does: into whatever has the focus, fast, and Enter at the end. */
export async function scan({ page }: { page: Page }, code: string, times = 1): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
}
