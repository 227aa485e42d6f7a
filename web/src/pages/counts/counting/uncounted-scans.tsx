import { UnresolvedScans } from '../../../components/scan/unresolved-scans.tsx'
import type { CountDraft } from '../offline/draft.ts'
import { type CountDraftState, isPicked, isRefusal } from '../offline/state.ts'
import { adviceOf } from './advice.ts'

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
