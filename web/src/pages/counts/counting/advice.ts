import { isPicked, type Scan } from '../offline/state.ts'

/** Why a scan is not counted, and what to do. */
export function adviceOf(scan: Scan): string {
  const { fault, found, message } = scan
  const title = found[0]?.title ?? ''
  if (fault === 'unknown') {
    return 'No product has this barcode or SKU. Add it to the product in your shop admin. If it is the code of a pack, add it to the product of the supplier. Then retry.'
  }
  if (fault === 'several') return 'Several products have this code. Choose one.'
  if (fault === 'untracked') {
    return `Your shop does not track the quantity of ${title}. Turn on tracking in your shop admin, then ${isPicked(scan) ? 'add it again' : 'retry'}.`
  }
  const refused = `This number was not saved: it ${message}.`
  if (fault === 'same_person') return `${refused} Another user must count it.`
  if (fault === 'not_in_recount') return `${refused} Put it in another count.`
  return `${refused} Count the product again.`
}
