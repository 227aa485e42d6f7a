import { ActionIcon, Button, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readQuery, useChange } from '../../api/queries.ts'
import { ErrorNotice } from '../../components/feedback/error-notice.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { type FieldErrors, fieldErrors } from '../../components/forms/form-errors.ts'
import { QuantityField } from '../../components/forms/quantity-field.tsx'
import { UnsavedGuard } from '../../components/forms/unsaved-guard.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { VariantPicker } from '../../components/pickers/variant-picker.tsx'
import { useFormat } from '../../components/shop/format.ts'
import { ProductName } from '../../components/tables/product-name.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'

type Line = {
  variantId: string
  sku: string
  title: string
  quantity: number | ''
  unitCost: number | ''
}

/** Receives goods without an order. A product is on one line; picking or scanning it again adds a piece. */
export function ReceiptCreate() {
  const navigate = useNavigate()
  const format = useFormat()
  const [lines, setLines] = useState<readonly Line[]>([])
  const [supplierId, setSupplierId] = useState<number | null>(null)
  const [locationId, setLocationId] = useState<string | null>(null)
  const [words, setWords] = useState({ deliveryNote: '', notes: '' })
  const [errors, setErrors] = useState<FieldErrors>({})
  const locations = useQuery({ ...readQuery('GET /locations', {}), staleTime: 60_000 })
  const chosenLocationId =
    locationId ?? locations.data?.find(({ isPrimary }) => isPrimary)?.locationId ?? null
  const create = useChange('POST /receipts', {
    onDone: ({ id }) => {
      notifyDone('Items received')
      return navigate({ to: '/receipts/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => setErrors(fieldErrors(error)),
  })
  const changeLine = (variantId: string, change: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.variantId === variantId ? { ...line, ...change } : line)))
  const save = () => {
    const missing = missingFields(lines)
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    create.mutate({
      body: {
        ...{ supplierId, locationId: chosenLocationId, ...words },
        lines: lines.map(({ variantId, quantity, unitCost }) => ({
          variantId,
          quantity: Number(quantity),
          unitCost: unitCost === '' ? null : unitCost,
        })),
      },
    })
  }
  const at = new Map(lines.map(({ variantId }, index) => [variantId, index]))
  const errorOf = (variantId: string, field: string) => errors[`lines.${at.get(variantId)}.${field}`]
  return (
    <PageBody>
      <PageHeader
        title="Receive without an order"
        back={{ to: '/receipts', name: 'Receipts' }}
        actions={
          <Button onClick={save} loading={create.isPending}>
            Save receipt
          </Button>
        }
      />
      {create.error && <ErrorNotice error={create.error} />}
      <Card title="Items">
        <Stack>
          <VariantPicker
            label="Add a product"
            onPick={(variant) => setLines((now) => withAdded(now, variant))}
          />
          {errors.lines && <Text c="var(--mantine-color-error)">{errors.lines}</Text>}
          {lines.length === 0 ? (
            <Text c="dimmed">No items yet. Search for a product above, or scan its barcode.</Text>
          ) : (
            <RowTable
              label="Items"
              rows={lines}
              keyOf={({ variantId }) => variantId}
              columns={[
                {
                  name: 'Product',
                  cell: (line) => (
                    <div>
                      <ProductName {...line} />
                      {errorOf(line.variantId, 'variantId') && (
                        <Text size="sm" c="var(--mantine-color-error)">
                          {errorOf(line.variantId, 'variantId')}
                        </Text>
                      )}
                    </div>
                  ),
                },
                {
                  name: 'Quantity',
                  isNumber: true,
                  cell: ({ variantId, title, quantity }) => (
                    <QuantityField
                      label={`Quantity of ${title}`}
                      value={quantity}
                      onChange={(value) => changeLine(variantId, { quantity: value })}
                      error={errorOf(variantId, 'quantity')}
                    />
                  ),
                },
                {
                  name: 'Unit cost',
                  isNumber: true,
                  cell: ({ variantId, title, unitCost }) => (
                    <NumberInput
                      aria-label={`Unit cost of ${title}`}
                      value={unitCost}
                      onChange={(typed) =>
                        changeLine(variantId, { unitCost: typed === '' ? '' : Number(typed) })
                      }
                      placeholder="Average"
                      allowNegative={false}
                      decimalScale={4}
                      decimalSeparator={format.decimalSeparator}
                      hideControls
                      error={errorOf(variantId, 'unitCost')}
                      w={110}
                      ml="auto"
                      styles={{ input: { textAlign: 'right' } }}
                    />
                  ),
                },
                {
                  name: 'Remove',
                  isNumber: true,
                  isAction: true,
                  cell: ({ variantId, title }) => (
                    <ActionIcon
                      variant="subtle"
                      color="dark.6"
                      size="lg"
                      aria-label={`Remove ${title}`}
                      onClick={() => setLines((now) => now.filter((line) => line.variantId !== variantId))}
                    >
                      <IconTrash size={18} />
                    </ActionIcon>
                  ),
                },
              ]}
            />
          )}
        </Stack>
      </Card>
      <Card title="Delivery">
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <SupplierPicker
            label="Supplier"
            placeholder="Not known"
            value={supplierId}
            onChange={setSupplierId}
            isClearable
            error={errors.supplierId}
          />
          <LocationPicker
            label="Received at"
            value={chosenLocationId}
            onChange={setLocationId}
            error={errors.locationId}
          />
          {(['deliveryNote', 'notes'] as const).map((name) => (
            <TextInput
              key={name}
              label={name === 'deliveryNote' ? 'Delivery note' : 'Notes'}
              placeholder={name === 'deliveryNote' ? 'Number on the note' : 'Only for you'}
              maxLength={name === 'deliveryNote' ? 200 : 5000}
              value={words[name]}
              onChange={({ currentTarget: { value } }) => setWords((now) => ({ ...now, [name]: value }))}
              error={errors[name]}
            />
          ))}
        </SimpleGrid>
      </Card>
      <UnsavedGuard when={lines.length > 0 && !create.isSuccess} />
    </PageBody>
  )
}

function withAdded(
  lines: readonly Line[],
  { variantId, sku, title }: Pick<Line, 'variantId' | 'sku' | 'title'>,
): readonly Line[] {
  if (!lines.some((line) => line.variantId === variantId))
    return [...lines, { variantId, sku, title, quantity: 1, unitCost: '' }]
  return lines.map((line) =>
    line.variantId === variantId ? { ...line, quantity: Number(line.quantity) + 1 } : line,
  )
}

/** Checked here because the messages of the API for these fields are less specific. */
const missingFields = (lines: readonly Line[]): FieldErrors => ({
  ...(lines.length === 0 && { lines: 'Add at least one product.' }),
  ...Object.fromEntries(
    lines.flatMap(({ quantity }, index) =>
      Number(quantity) > 0 ? [] : [[`lines.${index}.quantity`, 'Enter a quantity.']],
    ),
  ),
})
