import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { listQuery, readQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { useFormat } from '../../components/shop/format.ts'
import { DataList } from '../../components/tables/data-list.tsx'
import { orderColumns } from '../purchase-orders/list/order-columns.tsx'
import { returnColumns } from '../returns/return-columns.tsx'
import { Contacts } from './contacts.tsx'
import { MergeSupplier } from './merge-dialog.tsx'
import { Performance } from './performance.tsx'
import { SupplierEdit } from './supplier-edit.tsx'
import { SupplierSections } from './supplier-sections.tsx'

const route = getRouteApi('/suppliers/$id')

export function SupplierDetail() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /suppliers/:id', { params: { id } }))
  return <Loaded query={query}>{(supplier) => <Detail key={supplier.id} supplier={supplier} />}</Loaded>
}

function Detail({ supplier }: { supplier: Supplier }) {
  return (
    <PageBody>
      <PageHeader
        title={supplier.name}
        back={{ to: '/suppliers', name: 'Suppliers' }}
        actions={
          <>
            <MergeSupplier supplier={supplier} />
            <DeleteSupplier supplier={supplier} />
            <LinkButton variant="default" to="/returns/new" search={{ supplierId: supplier.id }}>
              Create return
            </LinkButton>
            <LinkButton
              to="/purchase-orders/new"
              search={{ supplierId: supplier.id }}
              leftSection={<IconPlus size={16} />}
            >
              Create order
            </LinkButton>
          </>
        }
      />
      <SupplierSections id={supplier.id} />
      <SupplierEdit supplier={supplier} />
      <Contacts supplier={supplier} />
      <Performance supplierId={supplier.id} />
      <Orders supplierId={supplier.id} />
      <Returns supplierId={supplier.id} />
    </PageBody>
  )
}

function Orders({ supplierId }: { supplierId: number }) {
  const query = useInfiniteQuery(listQuery('GET /purchase-orders', { query: { supplierId } }))
  const columns = orderColumns(useFormat()).filter(({ name }) => name !== 'Supplier')
  return (
    <DataList
      title="Orders"
      label="Orders of this supplier"
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      empty={{ title: 'No orders yet', text: 'You’ll see the orders to this supplier here.' }}
    />
  )
}

function Returns({ supplierId }: { supplierId: number }) {
  const query = useInfiniteQuery(listQuery('GET /supplier-returns', { query: { supplierId } }))
  const columns = returnColumns(useFormat()).filter(({ name }) => name !== 'Supplier')
  return (
    <DataList
      title="Returns"
      label="Returns to this supplier"
      query={query}
      columns={columns}
      keyOf={({ id }) => id}
      empty={{
        title: 'No returns yet',
        text: 'Create one for goods that go back to this supplier.',
        action: (
          <LinkButton variant="default" to="/returns/new" search={{ supplierId }}>
            Create return
          </LinkButton>
        ),
      }}
    />
  )
}

function DeleteSupplier({ supplier: { id, name } }: { supplier: Supplier }) {
  const [isConfirming, setConfirming] = useState(false)
  const navigate = usePageNavigate()
  const remove = useChange('DELETE /suppliers/:id', {
    onDone: async ({ message }) => {
      await navigate({ to: '/suppliers', search: {}, replace: true, ignoreBlocker: true })
      notifyDone(message)
    },
  })
  return (
    <>
      <Button variant="default" onClick={() => setConfirming(true)}>
        Delete
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={`Delete ${name}?`}
        confirm="Delete"
        isDestructive
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ params: { id } })}
        onCancel={() => setConfirming(false)}
      >
        Deletes the supplier with its contacts, products and prices. If it has orders or returns, it is
        archived instead: they still show its name, and you can restore it.
      </Confirm>
    </>
  )
}
