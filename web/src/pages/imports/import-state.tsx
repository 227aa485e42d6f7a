import type { Import, ImportKind, ImportRowState, ImportState } from '../../../../shared/schemas/imports.ts'
import type { Look } from '../../components/tables/looks.ts'
import { Badge } from '../../components/tables/status-badge.tsx'

const states: Record<ImportState, Look> = {
  uploading: ['Uploading', 'waiting'],
  reading: ['Reading', 'waiting'],
  ready: ['Ready', 'info'],
  checking: ['Checking', 'waiting'],
  running: ['Importing', 'waiting'],
  done: ['Imported', 'good'],
  failed: ['Failed', 'bad'],
  reverting: ['Reverting', 'waiting'],
  reverted: ['Reverted', 'quiet'],
}

/** An import that is ready without a preview has a question to answer, or its dry run has failed; the page says which. */
export const ImportStateBadge = ({
  found: { state, summary },
}: {
  found: Pick<Import, 'state' | 'summary'>
}) => <Badge look={state === 'ready' && summary === null ? ['Not checked', 'waiting'] : states[state]} />

const rowStates: Record<ImportRowState, Look> = {
  pending: ['Waiting', 'quiet'],
  new: ['New', 'info'],
  same: ['Unchanged', 'quiet'],
  changed: ['Updated', 'info'],
  skipped: ['Skipped', 'quiet'],
  fault: ['Not imported', 'bad'],
  kept: ['Kept', 'waiting'],
  reverted: ['Reverted', 'quiet'],
}

export const RowStateBadge = ({ state }: { state: ImportRowState }) => <Badge look={rowStates[state]} />

export const kindNames: Record<ImportKind | 'skip', string> = {
  suppliers: 'Suppliers',
  purchase_orders: 'Purchase orders',
  costs: 'Average costs',
  stock_counts: 'Stock counts',
  supplier_products: 'Products of suppliers',
  reorder_rules: 'Reorder rules',
  adjustments: 'Past adjustments',
  archive: 'Several lists',
  skip: 'Not imported',
}

const busy: readonly ImportState[] = ['uploading', 'reading', 'checking', 'running', 'reverting']
const maxUploadMs = 3_600_000

/** An upload that is older than an hour was interrupted, and the next night's pruning fails it. */
export const isBusy = ({ state, createdAt }: Pick<Import, 'state' | 'createdAt'>) =>
  busy.includes(state) && (state !== 'uploading' || Date.now() - Date.parse(createdAt) < maxUploadMs)
/** How often pages ask for the progress of an import that is under way. */
export const pollMs = 1_000
