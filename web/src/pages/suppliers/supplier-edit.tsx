import { Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { optimisticUpdate, readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { FormBar } from '../../components/forms/form-bar.tsx'
import { fieldErrors } from '../../components/forms/form-errors.ts'
import { useTheirs } from '../../components/forms/their-changes.ts'
import { VersionConflict } from '../../components/forms/version-conflict.tsx'
import { Card } from '../../components/layout/card.tsx'
import { fieldNames, formOf, inputOf, SupplierFields, type SupplierForm } from './supplier-fields.tsx'

export function SupplierEdit({ supplier }: { supplier: Supplier }) {
  const params = { id: supplier.id }
  const query = readQuery('GET /suppliers/:id', { params })
  /** The supplier as it was when the form was opened or saved; a later refetch does not change it. */
  const [base, setBase] = useState(supplier)
  const { theirs, unread, clearTheirs, readTheirs } = useTheirs(query)
  const form = useForm({ initialValues: formOf(supplier) })
  const save = useChange('PUT /suppliers/:id', {
    optimistic: ({ body }) =>
      optimisticUpdate(query, (now) => ({
        ...now,
        name: body.name ?? now.name,
      })),
    onDone: () => notifyDone('Supplier saved'),
    onRefused: async (error) => {
      form.setErrors(aliasErrors(fieldErrors(error)))
      await readTheirs(error)
    },
  })
  const store = (values: SupplierForm, version: number) =>
    save.mutate(
      { params, body: { ...inputOf(values), version } },
      {
        onSuccess: (saved) => {
          clearTheirs()
          setBase((now) => ({ ...now, ...inputOf(values), version: saved.version }) as Supplier)
          // compare with the values sent: edits during the save are still unsaved
          form.setInitialValues(values)
          form.resetDirty(values)
        },
      },
    )
  const submit = form.onSubmit((values) => store(values, base.version))
  return (
    <form onSubmit={submit} noValidate>
      <Card title="Supplier">
        <Stack>
          {save.error && !theirs && Object.keys(form.errors).length === 0 && (
            <ErrorNotice error={unread ?? save.error} />
          )}
          {theirs && (
            <VersionConflict
              noun="supplier"
              differences={differencesOf(base, theirs)}
              onKeep={() => store(form.values, theirs.version)}
              onDiscard={() => {
                const values = formOf(theirs)
                setBase(theirs)
                clearTheirs()
                save.reset()
                form.setValues(values)
                form.setInitialValues(values)
                form.resetDirty(values)
              }}
            />
          )}
          <SupplierFields form={form} id={supplier.id} />
        </Stack>
      </Card>
      <FormBar form={form} isBusy={save.isPending} isBlocked={theirs !== null} onSave={submit} />
    </form>
  )
}

/** The fault of one name is shown below the field with all of them. */
export function aliasErrors(errors: Record<string, string>): Record<string, string> {
  const [fault] = Object.entries(errors).filter(([name]) => name.startsWith('aliases.'))
  return fault ? { ...errors, aliases: `Name ${Number(fault[0].slice(8)) + 1}: ${fault[1]}` } : errors
}

function differencesOf(base: Supplier, theirs: Supplier): string[] {
  const [before, after] = [formOf(base), formOf(theirs)]
  const names = Object.keys(fieldNames) as (keyof SupplierForm)[]
  return names
    .filter((name) => String(before[name]) !== String(after[name]))
    .map((name) => `${fieldNames[name]}: ${String(after[name]) || 'empty'}`)
}
