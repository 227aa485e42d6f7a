import type { ReactNode } from 'react'
import { SupplierPicker } from '../pickers/supplier-picker.tsx'
import classes from './document-filters.module.css'
import { SearchField } from './search-field.tsx'

type Filter = { search?: string | undefined; supplierId?: number | undefined }

type Props = {
  filter: Filter
  /** `replace`: the address takes the place of the one before, so that Back leaves the search in one step. */
  onChange: (change: Filter, options: { replace: boolean }) => void
  searchLabel: string
  placeholder: string
  /** The links of the states. */
  children: ReactNode
  /** The button with the filters that are used less. */
  more?: ReactNode
}

/** The filters of a list of documents: state, search and supplier. */
export function DocumentFilters({ filter, onChange, searchLabel, placeholder, children, more }: Props) {
  const { search, supplierId } = filter
  return (
    <div className={classes.filters}>
      {children}
      <div className={classes.field}>
        <SearchField
          label={searchLabel}
          placeholder={placeholder}
          value={search}
          onSearch={(search, options) => onChange({ search }, options)}
        />
      </div>
      <div className={classes.field}>
        <SupplierPicker
          label="Supplier"
          placeholder="All suppliers"
          value={supplierId ?? null}
          onChange={(id) => onChange({ supplierId: id ?? undefined }, { replace: false })}
          isClearable
        />
      </div>
      {more}
    </div>
  )
}
