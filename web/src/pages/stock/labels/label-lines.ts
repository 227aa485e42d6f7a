import { useState } from 'react'
import { openLocalStore } from '../../../browser/local-store.ts'

/** A product whose labels the merchant wants, and how many. */
export type LabelLine = { variantId: string; title: string; sku: string; quantity: number | '' }

/** The API's limit of products in one file of labels. */
export const maxProducts = 250

type Stored = LabelLine & { at: number }

// one entry per product, so that two tabs do not overwrite each other
const store = openLocalStore<Stored>('labels')

const stored = () => store.all().map(([, line]) => line)

/** In the order in which they were added. */
const inOrder = () => stored().sort((a, b) => a.at - b.at)

type Product = Pick<LabelLine, 'variantId' | 'title' | 'sku'> & { quantity?: number }

/** Adds products to the list that this device keeps; one that is listed gets more labels. Returns how many are listed. */
export function addLabels(products: readonly Product[]): number {
  const known = new Map(stored().map((line) => [line.variantId, line]))
  let at = Math.max(0, ...[...known.values()].map((line) => line.at))
  for (const { variantId, title, sku, quantity = 1 } of products) {
    const line = known.get(variantId)
    const next = {
      ...{ variantId, title, sku },
      quantity: (Number(line?.quantity) || 0) + quantity,
      at: line?.at ?? ++at,
    }
    known.set(variantId, next)
    store.put(variantId, next)
  }
  return known.size
}

/** The listed products with the functions that change them. */
export function useLabelLines() {
  const [lines, setLines] = useState<readonly Stored[]>(inOrder)
  const changed = (change: () => void) => {
    change()
    setLines(inOrder())
  }
  return {
    lines,
    add: (products: readonly Product[]) => changed(() => addLabels(products)),
    setQuantity: ({ variantId }: LabelLine, quantity: number | '') => {
      setLines((now) => now.map((line) => (line.variantId === variantId ? { ...line, quantity } : line)))
      const line = stored().find((one) => one.variantId === variantId)
      // the field keeps a text that is no number, and the device an empty one
      if (line) store.put(variantId, { ...line, quantity: Number.isNaN(quantity) ? '' : quantity })
    },
    remove: ({ variantId }: LabelLine) => changed(() => store.remove(variantId)),
    clear: () =>
      changed(() => {
        for (const { variantId } of stored()) store.remove(variantId)
      }),
    /** Puts lines back that were removed. */
    restore: (removed: readonly Stored[]) =>
      changed(() => {
        for (const line of removed) store.put(line.variantId, line)
      }),
  }
}
