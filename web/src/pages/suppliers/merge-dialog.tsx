import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'

/** Merges a supplier that is in the list twice into the other one. */
export function MergeSupplier({ supplier: { id, name } }: { supplier: Supplier }) {
  const [isOpen, setOpen] = useState(false)
  const [intoId, setIntoId] = useState<number | null>(null)
  const navigate = usePageNavigate()
  const merge = useChange('POST /suppliers/:id/merge', {
    onDone: async (into) => {
      await navigate({
        to: '/suppliers/$id',
        params: { id: into.id },
        replace: true,
        ignoreBlocker: true,
      })
      notifyDone(`${name} merged into ${into.name}`)
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Merge
      </Button>
      <FormDialog opened={isOpen} onClose={() => setOpen(false)} title={`Merge ${name}`}>
        <Stack>
          <Text size="sm">
            Orders, reorder rules, contacts, products and vendor names of {name} go to the supplier that you
            choose, which keeps its own details. {name} is deleted. This cannot be undone.
          </Text>
          {merge.error && <ErrorNotice error={merge.error} />}
          <FormLock isBusy={merge.isPending}>
            <SupplierPicker
              label="Into"
              value={intoId}
              onChange={setIntoId}
              exceptId={id}
              isRequired
              isFirstInDialog
            />
          </FormLock>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" disabled={merge.isPending} onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button
              color="red.9"
              disabled={intoId === null}
              loading={merge.isPending}
              onClick={() => intoId !== null && merge.mutate({ params: { id }, body: { intoId } })}
            >
              Merge
            </Button>
          </Group>
        </Stack>
      </FormDialog>
    </>
  )
}
