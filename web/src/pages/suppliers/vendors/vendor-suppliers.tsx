import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VendorSupplier } from '../../../../../shared/schemas/suppliers.ts'
import { useChange } from '../../../api/queries.ts'
import { request } from '../../../api/request.ts'
import { ErrorNotice } from '../../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../../components/feedback/notify.ts'
import { FormLock } from '../../../components/forms/form-lock.tsx'
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx'
import { Card } from '../../../components/layout/card.tsx'
import { LinkButton } from '../../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../../components/layout/page.tsx'
import { usePageNavigate } from '../../../components/layout/page-navigate.ts'
import { useFormat } from '../../../components/shop/format.ts'
import { Empty } from '../../../components/tables/data-list.tsx'
import type { Look } from '../../../components/tables/looks.ts'
import { type Column, RowTable } from '../../../components/tables/row-table.tsx'
import { Badge } from '../../../components/tables/status-badge.tsx'

const outcomes: Record<VendorSupplier['outcome'], Look> = {
  created: ['New', 'info'],
  matched: ['Known', 'good'],
  archived: ['Archived', 'quiet'],
}

const isNew = ({ outcome }: VendorSupplier) => outcome === 'created'

/** The cells of a pasted column; an empty one leaves its row empty. */
const linesOf = (text: string) => text.replace(/\r?\n$/, '').split(/\r?\n/)

/** The vendors of the new suppliers from a row on. */
const vendorsFrom = (suppliers: readonly VendorSupplier[], row: VendorSupplier) =>
  suppliers
    .slice(suppliers.indexOf(row))
    .filter(isNew)
    .map(({ vendors: [vendor = ''] }) => vendor)

const withPasted = (
  emails: ReadonlyMap<string, string>,
  pasted: readonly string[],
  vendors: readonly string[],
) =>
  new Map([
    ...emails,
    ...vendors.slice(0, pasted.length).map((vendor, at) => [vendor, pasted[at]?.trim() ?? ''] as const),
  ])

/** Shows what would be created from the products' vendors, lets the merchant merge twins, and creates it. */
export function VendorSuppliers() {
  const { many, count } = useFormat()
  const navigate = usePageNavigate()
  /** The supplier that each vendor counts as, by the merchant's choice. */
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  /** By the first vendor of a new supplier. */
  const [emails, setEmails] = useState<ReadonlyMap<string, string>>(new Map())
  const choices = [...names].map(([vendor, supplier]) => ({ vendor, supplier }))
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery({
    queryKey: ['suppliers-from-vendors', choices],
    queryFn: ({ signal }) =>
      request('POST /suppliers/from-vendors', { body: { dryRun: true, names: choices } }, signal),
    // the rows stay until those of the new choice arrive
    placeholderData: keepPreviousData,
  })
  const create = useChange('POST /suppliers/from-vendors', {
    onDone: ({ suppliersCreated, productsCreated }) => {
      notifyDone(`${many(suppliersCreated, 'supplier')} created, ${many(productsCreated, 'product')} added`)
      return navigate({ to: '/suppliers', search: {}, ignoreBlocker: true })
    },
  })
  const isTyped = names.size > 0 || [...emails.values()].some((email) => email.trim() !== '')
  const typedEmails = () =>
    (data?.suppliers ?? []).filter(isNew).flatMap(({ vendors: [vendor = ''] }) => {
      const email = emails.get(vendor)?.trim() ?? ''
      return email === '' ? [] : [{ vendor, email }]
    })
  const choose = ({ vendors }: VendorSupplier, supplier: string | null) => {
    const next = new Map(names)
    for (const vendor of vendors) {
      if (supplier === null) next.delete(vendor)
      else next.set(vendor, supplier)
    }
    setNames(next)
  }
  const creatable = data ? data.suppliersCreated + data.aliasesCreated + data.productsCreated : 0
  const columns: Column<VendorSupplier>[] = [
    { name: 'Supplier', cell: ({ supplierName }) => <Text fw={550}>{supplierName}</Text> },
    { name: 'Vendor of the products', cell: ({ vendors }) => vendors.join(' · ') },
    {
      name: 'E-mail',
      width: 230,
      cell: (row) => {
        const [vendor = ''] = row.vendors
        return isNew(row) ? (
          <EmailField
            row={row}
            value={emails.get(vendor) ?? ''}
            onChange={(email) => setEmails(new Map(emails).set(vendor, email))}
            onPaste={(pasted) =>
              setEmails(withPasted(emails, pasted, vendorsFrom(data?.suppliers ?? [], row)))
            }
          />
        ) : (
          '—'
        )
      },
    },
    { name: 'Products', cell: ({ productCount }) => count(productCount), isNumber: true },
    { name: 'Added', cell: ({ newProducts }) => count(newProducts), isNumber: true },
    { name: 'State', cell: ({ outcome }) => <Badge look={outcomes[outcome]} /> },
    {
      name: 'Same as',
      cell: (row) => (
        <SameAs row={row} suppliers={data?.suppliers ?? []} onChoose={(name) => choose(row, name)} />
      ),
    },
  ]
  return (
    <PageBody>
      <PageHeader
        title="Suppliers from vendors"
        back={{ to: '/suppliers', name: 'Suppliers' }}
        actions={
          <Button
            disabled={creatable === 0 || isFetching}
            loading={create.isPending}
            onClick={() => create.mutate({ body: { dryRun: false, emails: typedEmails(), names: choices } })}
          >
            Create suppliers
          </Button>
        }
      />
      {error && <ErrorNotice error={error} onRetry={refetch} />}
      {create.error && <ErrorNotice error={create.error} />}
      {!data && !error && <Skeleton height={240} />}
      {data?.suppliers.length === 0 && (
        <Empty
          title="No vendors"
          text="None of your products has a vendor. Fill in the vendor field of your products in your shop’s admin, or create suppliers by hand."
          action={<LinkButton to="/suppliers/new">Create a supplier</LinkButton>}
        />
      )}
      {data && data.suppliers.length > 0 && (
        <FormLock isBusy={create.isPending}>
          <WhatIsCreated found={data} isNothing={creatable === 0} />
          <Card isFlush isStale={isPlaceholderData}>
            <RowTable
              label="Suppliers from vendors"
              rows={data.suppliers}
              keyOf={({ supplierName, supplierId }) => supplierId ?? supplierName}
              columns={columns}
            />
          </Card>
          {names.size > 0 && (
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setNames(new Map())}>
                Undo merging
              </Button>
            </Group>
          )}
        </FormLock>
      )}
      <UnsavedGuard when={isTyped && !create.isSuccess}>
        Your choices and e-mail addresses will be lost.
      </UnsavedGuard>
    </PageBody>
  )
}

type EmailProps = {
  row: VendorSupplier
  value: string
  onChange: (email: string) => void
  /** Several lines, as of a column of a spreadsheet. */
  onPaste: (lines: readonly string[]) => void
}

const EmailField = ({ row, value, onChange, onPaste }: EmailProps) => (
  <TextInput
    type="email"
    size="xs"
    aria-label={`E-mail of ${row.supplierName}`}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    onPaste={(event) => {
      const pasted = linesOf(event.clipboardData.getData('text'))
      if (pasted.length < 2) return
      event.preventDefault()
      onPaste(pasted)
    }}
  />
)

type CreatedProps = {
  found: { suppliersCreated: number; suppliersMatched: number; productsCreated: number }
  isNothing: boolean
}

function WhatIsCreated({ found, isNothing }: CreatedProps) {
  const { many } = useFormat()
  return (
    <Stack gap={4}>
      <Text role="status">
        {isNothing
          ? 'Every vendor has its supplier. There is nothing to create.'
          : `${many(found.suppliersCreated, 'new supplier')}, ${many(found.suppliersMatched, 'known one')}, ${many(found.productsCreated, 'product')} to be added.`}
      </Text>
      <Text size="sm" c="dimmed">
        Spellings that differ in capitals and spaces are one vendor already. Choose “Same as” where two
        vendors are one company. An archived supplier stays archived; restore it first. A column of e-mail
        addresses from a spreadsheet can be pasted into “E-mail”; it fills the rows from there on.
      </Text>
    </Stack>
  )
}

type SameAsProps = {
  row: VendorSupplier
  suppliers: readonly VendorSupplier[]
  onChoose: (supplier: string | null) => void
}

/** Only a vendor without a supplier can become that of another row; suppliers are merged on their own page. */
const SameAs = ({ row, suppliers, onChoose }: SameAsProps) =>
  row.outcome === 'created' ? (
    <Select
      aria-label={`${row.supplierName} is the same as`}
      placeholder="No other"
      data={[...new Set(suppliers.filter((other) => other !== row).map((other) => other.supplierName))]}
      value={null}
      onChange={onChoose}
      searchable
      size="xs"
      w={180}
      limit={50}
    />
  ) : (
    '—'
  )
