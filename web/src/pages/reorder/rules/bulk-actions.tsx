import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { ReorderMode, ReorderRule } from '../../../../../shared/schemas/reorder-rules.ts'
import { useChange } from '../../../api/queries.ts'
import { Confirm } from '../../../components/feedback/confirm.tsx'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone, notifyRefused } from '../../../components/feedback/notify.ts'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { SupplierPicker } from '../../../components/pickers/supplier-picker.tsx'
import { useFormat } from '../../../components/shop/format.ts'
import type { Selection } from '../../../components/tables/list/use-selection.ts'

const modes: readonly [ReorderMode, string][] = [
  ['auto', 'Automatic'],
  ['manual', 'Manual'],
]

/** The buttons for selected rules: mode, supplier and deletion. */
export function RuleBulkActions({ selection }: { selection: Selection<ReorderRule> }) {
  const { many } = useFormat()
  // the list may change while a dialog is open, so the dialog keeps the selection
  const [deleting, setDeleting] = useState<readonly number[] | null>(null)
  const [supplied, setSupplied] = useState<readonly ReorderRule[] | null>(null)
  const close = () => {
    setDeleting(null)
    setSupplied(null)
  }
  const save = useChange('POST /reorder/rules/bulk', {
    onDone: ({ updated }) => {
      close()
      selection.clear()
      notifyDone(`${many(updated, 'rule')} saved`)
    },
    onRefused: notifyRefused,
  })
  const remove = useChange('POST /reorder/rules/delete', {
    onDone: ({ deleted }) => {
      close()
      selection.clear()
      notifyDone(`${many(deleted, 'rule')} deleted`)
    },
  })
  const saveAll = (
    rules: readonly ReorderRule[],
    change: { mode?: ReorderMode; supplierId?: number | null },
  ) =>
    save.mutate({
      body: { rules: rules.map(({ variantId, locationId }) => ({ variantId, locationId, ...change })) },
    })
  const { rows } = selection
  return (
    <>
      {modes.map(([mode, label]) => (
        <Button
          key={mode}
          size="xs"
          variant="default"
          disabled={save.isPending}
          onClick={() => saveAll(rows, { mode })}
        >
          {label}
        </Button>
      ))}
      <Button
        size="xs"
        variant="default"
        disabled={save.isPending}
        onClick={() => {
          setSupplied(rows)
          save.reset()
        }}
      >
        Set supplier
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={save.isPending}
        onClick={() => setDeleting(rows.map(({ id }) => id))}
      >
        Delete
      </Button>
      <FormDialog
        opened={supplied !== null}
        onClose={close}
        title={`Supplier of ${many(supplied?.length ?? 0, 'rule')}`}
      >
        <SupplierChoice
          error={save.error}
          isBusy={save.isPending}
          onSave={(id) => supplied && saveAll(supplied, { supplierId: id })}
          onCancel={close}
        />
      </FormDialog>
      <Confirm
        isOpen={deleting !== null}
        title={`Delete ${many(deleting?.length ?? 0, 'rule')}?`}
        confirm="Delete rules"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => deleting && remove.mutate({ body: { ids: [...deleting] } })}
        onCancel={close}
      >
        These products will no longer be suggested when their stock runs low. Existing orders and drafts are
        kept.
      </Confirm>
    </>
  )
}

type ChoiceProps = {
  error: unknown
  isBusy: boolean
  onSave: (supplierId: number | null) => void
  onCancel: () => void
}

/** One supplier for all selected rules, or none. The dialog renders it anew each time it opens. */
function SupplierChoice({ error, isBusy, onSave, onCancel }: ChoiceProps) {
  const [supplierId, setSupplierId] = useState<number | null>(null)
  const [isWithout, setWithout] = useState(false)
  return (
    <Stack>
      {Boolean(error) && <ErrorNotice error={error} />}
      <FormLock isBusy={isBusy}>
        <SupplierPicker
          label="Supplier"
          placeholder="Choose a supplier"
          value={isWithout ? null : supplierId}
          onChange={setSupplierId}
          isDisabled={isWithout}
        />
        <Checkbox
          mt="sm"
          label="No supplier"
          description="Removes the supplier of the selected rules."
          checked={isWithout}
          onChange={(event) => setWithout(event.currentTarget.checked)}
        />
      </FormLock>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" disabled={isBusy} onClick={onCancel}>
          Cancel
        </Button>
        <Button
          loading={isBusy}
          disabled={!isWithout && supplierId === null}
          onClick={() => onSave(isWithout ? null : supplierId)}
        >
          Save
        </Button>
      </Group>
    </Stack>
  )
}
