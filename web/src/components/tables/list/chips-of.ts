import type { Chip } from './filter-chips.tsx'

/** A chip for each filter that has a value. `onChange` gets the field of a removed one. */
export const chipsOf = <Filter extends object>(
  filters: readonly (readonly [field: keyof Filter & string, name: string, value: string | undefined])[],
  onChange: (change: Partial<Record<keyof Filter, undefined>>) => void,
): Chip[] =>
  filters.flatMap(([field, name, value]) =>
    value ? [{ name, value, onRemove: () => onChange({ [field]: undefined } as never) }] : [],
  )
