import { productPayload } from '../webhooks/product-payload.ts'
import { itemPayload } from '../webhooks/shop-payloads.ts'
import type { ShopCore } from './core.ts'
import { digitsOf } from './ids.ts'
import { instant, type Product, type Variant } from './seed.ts'

/** The fields of a variant that a merchant can set. */
export type VariantInput = Partial<
  Pick<Variant, 'values' | 'sku' | 'barcode' | 'price' | 'cost' | 'weight' | 'tracked' | 'policy'>
> & {
  /** The variant whose inventory item the new variant shares. */
  sharesItemWith?: string
}

export type ProductInput = Partial<
  Pick<Product, 'title' | 'vendor' | 'productType' | 'tags' | 'status' | 'isGiftCard' | 'options' | 'picture'>
>

export type ProductEdit = ProductInput & {
  /** Changes of existing variants. */
  variants?: ({ id: string } & VariantInput)[]
  addVariants?: VariantInput[]
  removeVariants?: string[]
}

export type ProductChanges = {
  /** Returns the ids of the product and its variants. */
  addProduct: (input: ProductInput & { variants?: VariantInput[] }) => { id: string; variantIds: string[] }
  /** `at`: the time of the change, cut to its second; now by default. */
  editProduct: (id: string, edit: ProductEdit, options?: { at?: Date }) => void
  deleteProduct: (id: string) => void
  /** Sends an update webhook without a change. */
  touchProduct: (number: number) => void
}

export function createProductChanges(core: ShopCore): ProductChanges {
  const { catalogue } = core
  const now = () => instant(new Date())

  function numberOf(id: string): number {
    const number = catalogue.productNumber(digitsOf(core.namespace, 'Product', id))
    if (number === undefined || !catalogue.product(number))
      throw new Error(`${core.domain} has no product ${id}`)
    return number
  }

  function save(number: number, product: Product): void {
    catalogue.save(number, product)
    core.changed()
    core.sendWebhook('PRODUCTS_UPDATE', productPayload(core, number, product))
  }

  const slotOf = (id: string) => core.variantKey(id).slot

  return {
    addProduct({ variants = [{}], ...input }) {
      const product: Product = { ...blankProduct(now()), ...input }
      product.variants = variants.map((variant, slot) => makeVariant(variant, slot, now()))
      const number = catalogue.add(product)
      core.changed()
      core.sendWebhook('PRODUCTS_CREATE', productPayload(core, number, product))
      const variantIds = product.variants.map(({ slot }) =>
        core.gid('ProductVariant', catalogue.variantId(number, slot)),
      )
      return { id: core.gid('Product', catalogue.productId(number)), variantIds }
    },
    editProduct(id, { variants = [], addVariants = [], removeVariants = [], ...changes }, { at } = {}) {
      const changedAt = instant(at ?? new Date())
      const number = numberOf(id)
      const before = catalogue.product(number)
      if (!before) return
      const product: Product = structuredClone({ ...before, ...changes, updatedAt: changedAt })
      const changedItems = new Set<number>()
      for (const { id: variantId, sharesItemWith: _, ...edit } of variants) {
        const variant = product.variants.find(({ slot }) => slot === slotOf(variantId))
        if (variant && editVariant(product, variant, edit, changedAt)) changedItems.add(variant.itemSlot)
      }
      const removed = new Set(removeVariants.map(slotOf))
      const next = Math.max(-1, ...product.variants.map(({ slot }) => slot)) + 1
      const added = addVariants.map((input, index) => {
        const itemSlot = input.sharesItemWith === undefined ? undefined : slotOf(input.sharesItemWith)
        return makeVariant(input, next + index, changedAt, itemSlot)
      })
      product.variants = [...product.variants.filter(({ slot }) => !removed.has(slot)), ...added]
      const isCostOnly =
        isEmpty(changes) &&
        removed.size === 0 &&
        added.length === 0 &&
        variants.length > 0 &&
        variants.every(hasCostOnly)
      if (isCostOnly) catalogue.save(number, { ...product, updatedAt: before.updatedAt })
      else save(number, product)
      core.changed()
      for (const slot of changedItems) {
        const user = product.variants.find(({ itemSlot }) => itemSlot === slot)
        const itemId = catalogue.itemId(number, slot)
        if (user) core.sendWebhook('INVENTORY_ITEMS_UPDATE', itemPayload(core, itemId, user))
      }
    },
    deleteProduct(id) {
      const number = numberOf(id)
      catalogue.remove(number)
      core.changed()
      core.sendWebhook('PRODUCTS_DELETE', { id: BigInt(catalogue.productId(number)) })
    },
    touchProduct(number) {
      const product = catalogue.product(number)
      if (product) save(number, { ...product, updatedAt: now() })
    },
  }
}

const isEmpty = (changes: object) => Object.keys(changes).length === 0

/** Costs and weights belong to the inventory item: their change is no change of the product. */
const hasCostOnly = (edit: VariantInput) =>
  Object.keys(edit).every((name) => ['cost', 'weight', 'id'].includes(name))

/** Changes a variant, and the other variants of its inventory item. Returns whether the item changed. */
function editVariant(product: Product, variant: Variant, edit: VariantInput, at: string): boolean {
  const {
    cost = variant.cost,
    weight = variant.weight,
    tracked = variant.tracked,
    sku = variant.sku,
    ...others
  } = edit
  const isItemChanged =
    cost !== variant.cost || weight !== variant.weight || tracked !== variant.tracked || sku !== variant.sku
  if (!hasCostOnly(edit)) Object.assign(variant, others, { sku, updatedAt: at })
  if (isItemChanged)
    for (const user of product.variants.filter(({ itemSlot }) => itemSlot === variant.itemSlot))
      Object.assign(user, { cost, weight, tracked, itemUpdatedAt: at })
  return isItemChanged
}

const blankProduct = (at: string): Product => ({
  title: 'New product',
  vendor: '',
  productType: '',
  handle: `product-${Date.parse(at)}`,
  status: 'ACTIVE',
  isGiftCard: false,
  options: ['Title'],
  tags: [],
  createdAt: at,
  updatedAt: at,
  variants: [],
})

function makeVariant(input: VariantInput, slot: number, at: string, itemSlot = slot): Variant {
  const { sharesItemWith: _, ...facts } = input
  return {
    slot,
    itemSlot,
    values: [slot === 0 ? 'Default Title' : `Option ${slot + 1}`],
    sku: null,
    barcode: null,
    price: '10.00',
    cost: null,
    tracked: true,
    policy: 'DENY',
    requiresShipping: true,
    createdAt: at,
    updatedAt: at,
    ...facts,
  }
}
