import type { StockCount } from '../../../../../shared/schemas/stock-counts.ts'
import { createSeeker, type Find } from './lookup.ts'
import { type LocalStores, openBoard } from './queue.ts'
import { type Found, isSettled, numberOf, type Product, rowsOf } from './state.ts'
import { createSaver, type Save } from './sync.ts'

type Ports = LocalStores & { save: Save; find: Find }

/**
 * What is being counted on this device. A scan or a number is taken at once and kept here until the API has it, whatever
 * becomes of the network or the page. `start` begins the work, `stop` ends it after a last try.
 */
export function openTally(count: StockCount, { save, find, ...drawers }: Ports) {
  const board = openBoard(count, drawers)
  const saver = createSaver(board, save)
  const seeker = createSeeker(board, find)
  const isUnsettled = () => !isSettled(board.state())
  return {
    state: board.state,
    subscribe: board.subscribe,
    scan: seeker.scan,
    choose: seeker.choose,
    seekAgain: seeker.again,
    dropScan: board.dropScan,
    addMany: saver.addMany,
    /** Sets a number by hand; null is "not counted". */
    set: (product: Product, counted: number | null): void => {
      if (numberOf(board.state(), product.variantId) !== counted) board.enter(product, counted)
    },
    /** Puts a product into the count, not counted yet; one that is in it is only pointed at. */
    add: ({ isTracked, ...product }: Found): void => {
      if (!isTracked) {
        const code = product.sku || product.title
        board.putScan({ code, times: 0, fault: 'untracked', found: [{ ...product, isTracked }] })
        return
      }
      const isIn = rowsOf(board.state()).some(({ variantId }) => variantId === product.variantId)
      if (!isIn) board.enter(product, null)
      board.point(product, 'added', numberOf(board.state(), product.variantId))
    },
    /** Takes the last scan back, unless its number was changed since. */
    takeBack: (): void => {
      const { last } = board.state()
      if (last && numberOf(board.state(), last.product.variantId) === last.counted) {
        board.enter(last.product, last.before)
      }
      board.update({ last: null })
    },
    /** Tries to save at once, and tells whether all of it is. */
    settle: async (): Promise<boolean> => {
      board.update({ trouble: 'none', refusal: null })
      void saver.now()
      while (isUnsettled() && board.state().trouble === 'none') await board.nextChange()
      return !isUnsettled()
    },
    /** Gives up what the API does not take. */
    discard: (): void => {
      board.update({ trouble: 'none', refusal: null })
      board.clear([...board.state().entries])
    },
    start: () => {
      saver.start()
      seeker.start()
    },
    stop: () => {
      seeker.stop()
      saver.stop()
    },
  }
}

export type Tally = ReturnType<typeof openTally>
