import { type ModelName, type Pattern, patterns } from './candidates.ts'

/** The errors of each model in the backtests of many similar series, by pattern. */
export type PooledErrors = Partial<Record<Pattern, PatternErrors>>
type PatternErrors = {
  series: number
  /** Σ |forecast - demand| of all series. */
  errors: Partial<Record<ModelName, number>>
}

/** A type with fewer series of a pattern has the errors of the shop. */
const minOfType = 30
/** Series at which the pooled errors count for half of their power. */
const halfTrust = 10
const power = 12
/** Keeps a model that was never wrong from excluding all others. */
const minShare = 0.01

/** Adds the backtest of one series; one without errors was too short. */
export function addErrors(
  pool: PooledErrors,
  pattern: Pattern,
  errors: readonly (readonly [ModelName, number])[],
): void {
  if (errors.length === 0) return
  const own = pool[pattern] ?? { series: 0, errors: {} }
  pool[pattern] = own
  own.series += 1
  for (const [name, error] of errors) own.errors[name] = (own.errors[name] ?? 0) + error
}

/** The errors of a product type; those of the shop for patterns that few variants of the type have. */
export function poolOf(type: PooledErrors, shop: PooledErrors): PooledErrors {
  const pool: PooledErrors = {}
  for (const pattern of patterns) {
    const own = type[pattern]
    const chosen = own !== undefined && own.series >= minOfType ? own : (shop[pattern] ?? own)
    if (chosen) pool[pattern] = chosen
  }
  return pool
}

/**
 * The factor of a model's weight that the similar series give: (error / mean error of the models)^-p with
 * p = 12 n / (n + 10) of n series. Eight origins of one series are few; those of many series tell which models fit
 * their kind.
 *
 * Example: of 10 series, p = 6. A model with half of the mean error has the factor (0.01 + 0.5)^-6 = 57, one with the
 * mean error 0.94.
 */
export function pooledFactor(pool: PooledErrors, pattern: Pattern, name: ModelName): number {
  const own = pool[pattern]
  const error = own?.errors[name]
  if (own === undefined || error === undefined) return 1
  const all = Object.values(own.errors)
  const mean = all.reduce((sum, value) => sum + value, 0) / all.length
  if (mean === 0) return 1
  return (minShare + error / mean) ** ((-power * own.series) / (own.series + halfTrust))
}
