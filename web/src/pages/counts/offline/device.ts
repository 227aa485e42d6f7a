import { openLocalStore } from '../../../browser/local-store.ts'

let device: string | undefined

/** The name of this browser in counts: the numbers of two devices add up (docs/decisions/stock-counts.md). */
export function thisDevice(): string {
  device ??= readDevice()
  return device
}

function readDevice(): string {
  const store = openLocalStore<string>('counting device')
  const [known] = store.all()
  if (known) return known[1]
  const created = crypto.randomUUID()
  store.put('id', created)
  return created
}
