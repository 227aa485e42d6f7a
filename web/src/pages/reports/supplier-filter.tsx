import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import classes from './reports.module.css'

type Props = {
  value: number | undefined
  onChange: (change: { supplierId: number | undefined }) => void
}

export const SupplierFilter = ({ value, onChange }: Props) => (
  <div className={classes.search}>
    <SupplierPicker
      label="Supplier"
      placeholder="All suppliers"
      value={value ?? null}
      onChange={(id) => onChange({ supplierId: id ?? undefined })}
      isClearable
    />
  </div>
)
