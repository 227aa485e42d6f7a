import t from 'tap'
import { type DemandEvent, eventFactor } from '../../../../../shared/domain/ledgers/demand/events.ts'

/** Days count from the Monday of week 0. */
const event = (fromDay: number, toDay: number | null, factor: number): DemandEvent => ({
  ...{ kind: 'event', scope: 'shop', scopeValue: '', variantId: null },
  ...{ fromDay, toDay, factor },
})

t.test('a week has the mean factor of its days', async (t) => {
  t.equal(eventFactor([], 0), 1)
  t.equal(eventFactor([event(7, 9, 2)], 1), 10 / 7)
  t.equal(eventFactor([event(7, 9, 2)], 2), 1)
  t.equal(eventFactor([event(9, null, 2)], 5), 2, 'growth has no end')
})

t.test('only events of one day multiply', async (t) => {
  t.equal(eventFactor([event(0, 2, 3), event(3, 6, 3)], 0), 3, 'Monday to Wednesday, and Thursday to Sunday')
  t.equal(eventFactor([event(0, 6, 3), event(0, 6, 2)], 0), 6)
  t.equal(eventFactor([event(0, 2, 2), event(1, 3, 1.5)], 0), 12.5 / 7)
})
