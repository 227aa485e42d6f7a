/** What a shop has, and what happens in it on a day. */
export type ShopSize = {
  name: 'large' | 'medium' | 'small'
  products: number
  pastOrdersPerDay: number
  ordersPerDay: number
  pagesPerDay: number
  savesPerDay: number
}

/** Of 100 shops 1 is large and 9 are medium. Each product has two variants in two locations. */
const sizes = {
  large: { products: 500, pastOrdersPerDay: 20, ordersPerDay: 200, pagesPerDay: 100, savesPerDay: 20 },
  medium: { products: 50, pastOrdersPerDay: 2, ordersPerDay: 20, pagesPerDay: 20, savesPerDay: 5 },
  small: { products: 8, pastOrdersPerDay: 0, ordersPerDay: 2, pagesPerDay: 2, savesPerDay: 0.5 },
} as const

export function sizeOf(number: number): ShopSize {
  const place = number % 100
  const name = place === 0 ? 'large' : place < 10 ? 'medium' : 'small'
  return { name, ...sizes[name] }
}

/** Orders by hour of the shop: few at night, most in the evening. */
const orderCurve = [2, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 9, 8, 6, 4]
/** Work in the admin by hour. */
const workCurve = [0, 0, 0, 0, 0, 0, 1, 3, 8, 10, 10, 9, 7, 8, 9, 9, 8, 6, 3, 2, 1, 1, 0, 0]

export type DayEvent = { hour: number; shop: number } & (
  | { kind: 'order' | 'page' | 'save' }
  | { kind: 'night'; job: number }
)

/**
 * The events of a day of all shops, in UTC hours, in their order. The shops are in the time zones of America (half of them), Europe (a third)
 * and Asia. An order makes two webhooks: the order and the new level of its product. The night of a shop begins after its midnight, with
 * the minutes of each nightly job.
 */
export function planDay(
  shops: readonly ShopSize[],
  nightly: readonly { minutes: number }[],
  random: () => number,
): DayEvent[] {
  const events: DayEvent[] = []
  for (const [shop, size] of shops.entries()) {
    const place = shop % 6
    const offset = place < 3 ? -8 + place : place < 5 ? place - 3 : 8
    const at = (localHour: number) => (localHour - offset + 48) % 24
    const add = (kind: 'order' | 'page' | 'save', perDay: number, curve: readonly number[]) => {
      for (let left = perDay; left > 0; left -= 1) {
        if (left < 1 && random() > left) break
        events.push({ kind, shop, hour: at(hourOf(curve, random)) })
      }
    }
    add('order', size.ordersPerDay, orderCurve)
    add('page', size.pagesPerDay, workCurve)
    add('save', size.savesPerDay, workCurve)
    for (const [job, { minutes }] of nightly.entries()) {
      events.push({ kind: 'night', shop, job, hour: at((minutes + random() * 60) / 60) })
    }
  }
  return events.sort((a, b) => a.hour - b.hour)
}

/** A random time of the day; each hour is as likely as its weight. */
function hourOf(curve: readonly number[], random: () => number): number {
  let left = random() * curve.reduce((sum, weight) => sum + weight, 0)
  for (const [hour, weight] of curve.entries()) {
    if (left < weight) return hour + left / weight
    left -= weight
  }
  return 23
}
