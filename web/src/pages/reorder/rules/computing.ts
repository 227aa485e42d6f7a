import type { ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'

export const computingText = 'Computing …'

/** An automatic rule that is new or was changed has no numbers until the worker has computed them. */
export const isComputing = ({ mode, computedAt }: ReorderRule) => mode === 'auto' && computedAt === null

/** How often a page reads again what the worker is computing. */
export const computingPollMs = 5_000
