import { ActionIcon, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/queries.ts'
import { personId } from '../../browser/host.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { DeliveryFields } from '../../components/forms/delivery-fields.tsx'
import { useDraftErrors } from '../../components/forms/draft-errors.ts'
import { type FieldErrors, fieldErrors } from '../../components/forms/form-errors.ts'
import { FormLock } from '../../components/forms/form-lock.tsx'
import { useKeptDraft } from '../../components/forms/kept-draft.ts'
import { NumberField } from '../../components/forms/number-field.tsx'
import { QuantityField } from '../../components/forms/quantity-field.tsx'
import { SaveBar } from '../../components/forms/save-bar.tsx'
import { OldSaveNotice, UnsavedNotice } from '../../components/forms/unsaved-notice.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { useArrivalLocation } from '../../components/pickers/arrival-location.ts'
import { LocationPicker } from '../../components/pickers/location-picker.tsx'
import { ProductAdder } from '../../components/pickers/product-adder.tsx'
import { SupplierPicker } from '../../components/pickers/supplier-picker.tsx'
import { OneTab } from '../../components/scan/one-tab.tsx'
import { useSettings } from '../../components/shop/settings.tsx'
import { ProductName } from '../../components/tables/product-name.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'
import { type Draft, emptyDraft, isSame, type Line, missingFields, withAdded } from './draft.ts'

/**
 * Receives goods without an order. A product is on one line; picking or scanning it again adds a piece. The device keeps the
 * draft of each person until it is saved or discarded.
 */
export function ReceiptCreate() {
  const query = useQuery({ queryKey: ['person'], queryFn: personId, staleTime: 'static' })
  return (
    <OneTab name="new receipt">
      <Loaded query={query}>{(person) => <Creator person={person} />}</Loaded>
    </OneTab>
  )
}

function Creator({ person }: { person: string }) {
  const navigate = usePageNavigate()
  const kept = useKeptDraft(`new receipt ${person}`, emptyDraft, { isSame })
  const { draft, setDraft, isDirty } = kept
  const { lines, supplierId, locationId, deliveryNote, notes } = draft
  const { errors, setErrors } = useDraftErrors(draft)
  const set = (change: Partial<Draft>) => setDraft((now) => ({ ...now, ...change }))
  const setLines = (change: (lines: readonly Line[]) => readonly Line[]) =>
    setDraft((now) => ({ ...now, lines: change(now.lines) }))
  const { arrivalLocationId, isLoading } = useArrivalLocation(locationId)
  const create = useChange('POST /receipts', {
    onDone: ({ id }) => {
      kept.forget()
      notifyDone('Items received')
      return navigate({ to: '/receipts/$id', params: { id }, replace: true, ignoreBlocker: true })
    },
    onRefused: (error) => {
      kept.endSave(error)
      setErrors(fieldErrors(error))
    },
    key: kept.key,
  })
  const save = () => {
    const missing = missingFields(lines)
    setErrors(missing)
    if (Object.keys(missing).length > 0 || !kept.startSave()) return
    create.mutate({
      body: {
        ...{ supplierId, locationId: arrivalLocationId, deliveryNote, notes },
        lines: lines.map(({ variantId, quantity, unitCost }) => ({
          variantId,
          quantity: Number(quantity),
          unitCost: unitCost === '' ? null : unitCost,
        })),
      },
    })
  }
  const discard = () => {
    kept.discard()
    create.reset()
    setErrors({})
  }
  return (
    <PageBody>
      <PageHeader title="Receive without an order" back={{ to: '/receipts', name: 'Receipts' }} />
      {create.error && <UnsavedNotice error={create.error} fields={errors} list="Receipts" />}
      {kept.oldSave && (
        <OldSaveNotice
          at={kept.oldSave}
          list="Receipts"
          onDiscard={discard}
          onSaveAsNew={() => {
            kept.renewKey()
            save()
          }}
        />
      )}
      <FormLock isBusy={create.isPending || kept.oldSave !== null}>
        <ItemsCard {...{ lines, supplierId, errors, setLines }} />
        <Card title="Delivery">
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <SupplierPicker
              label="Supplier"
              placeholder="Not known"
              value={supplierId}
              onChange={(id) => set({ supplierId: id })}
              isClearable
              error={errors.supplierId}
            />
            <LocationPicker
              label="Received at"
              value={arrivalLocationId}
              onChange={(id) => set({ locationId: id })}
              error={errors.locationId}
            />
            <DeliveryFields value={draft} errors={errors} onChange={set} />
          </SimpleGrid>
        </Card>
      </FormLock>
      <SaveBar
        isNew
        isDirty={isDirty && !create.isSuccess}
        isKept={kept.isDurable}
        {...(kept.isDurable && { state: 'Kept on this device until you save' })}
        isBlocked={kept.oldSave !== null || isLoading}
        isBusy={create.isPending}
        save="Save receipt"
        onSave={save}
        onDiscard={discard}
      />
    </PageBody>
  )
}

type ItemProps = {
  lines: readonly Line[]
  errors: FieldErrors
  setLines: (change: (lines: readonly Line[]) => readonly Line[]) => void
}

function ItemsCard({ supplierId, ...props }: ItemProps & { supplierId: number | null }) {
  const { lines, errors, setLines } = props
  return (
    <Card title="Items">
      <Stack>
        <ProductAdder
          supplierId={supplierId}
          onForm={lines}
          onAdd={(chosen) => setLines((now) => chosen.reduce(withAdded, now))}
          error={errors.lines}
        />
        {lines.length === 0 ? (
          <Text c="dimmed">No items yet. Search for a product above, or scan its barcode.</Text>
        ) : (
          <Items {...props} />
        )}
      </Stack>
    </Card>
  )
}

function Items({ lines, errors, setLines }: ItemProps) {
  const { currency } = useSettings()
  const changeLine = (variantId: string, change: Partial<Line>) =>
    setLines((now) => now.map((line) => (line.variantId === variantId ? { ...line, ...change } : line)))
  const at = new Map(lines.map(({ variantId }, index) => [variantId, index]))
  const errorOf = (variantId: string, field: string) => errors[`lines.${at.get(variantId)}.${field}`]
  return (
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
            <NumberField
              aria-label={`Unit cost of ${title}`}
              value={unitCost}
              onChange={(typed) => changeLine(variantId, { unitCost: typed })}
              placeholder="Average"
              decimals={4}
              currency={currency}
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
  )
}
