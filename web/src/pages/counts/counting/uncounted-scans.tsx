import { UnresolvedScans } from '../../../components/scan/unresolved-scans.tsx'
import type { CountDraft } from '../offline/draft.ts'
import { type CountDraftState, isPicked, isRefusal, type Scan } from '../offline/state.ts'

/** The scans that are not counted. */
export const UncountedScans = ({ draft, state }: { draft: CountDraft; state: CountDraftState }) => (
  <UnresolvedScans
    title="Scanned but not counted"
    state={state}
    adviceOf={adviceOf}
    nameOf={(scan) =>
      isRefusal(scan.fault) || isPicked(scan) ? (scan.found[0]?.title ?? scan.code) : scan.code
    }
    actionsOf={(scan) => {
      const { code, fault, found } = scan
      if (fault === 'several') {
        return found.map((product) => ({
          name: product.title,
          onClick: () => draft.chooseProduct(code, product),
        }))
      }
      if (isRefusal(fault) || isPicked(scan)) return []
      return fault ? [{ name: 'Retry', onClick: () => draft.lookUpAgain(code) }] : []
    }}
    onRemove={draft.dropScan}
  />
)

function adviceOf(scan: Scan): string {
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
