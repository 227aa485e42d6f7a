import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { readQuery, useChange } from '../../api/queries.ts'
import { Confirm } from '../../components/feedback/confirm.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { notifyDone } from '../../components/feedback/notify.ts'
import { LinkButton } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { usePageNavigate } from '../../components/layout/page-navigate.ts'
import { ArchivedSupplier } from './archived-supplier.tsx'
import { Contacts } from './contacts.tsx'
import { MergeSupplier } from './merge-dialog.tsx'
import { SupplierDocuments } from './supplier-documents.tsx'
import { SupplierEdit } from './supplier-edit.tsx'
import { SupplierSections } from './supplier-sections.tsx'

const route = getRouteApi('/suppliers/$id')

export function SupplierDetail() {
  const { id } = route.useParams()
  const query = useQuery(readQuery('GET /suppliers/:id', { params: { id } }))
  return (
    <Loaded query={query}>
      {(supplier) =>
        supplier.archivedAt === null ? (
          <Detail key={supplier.id} supplier={supplier} />
        ) : (
          <ArchivedSupplier supplier={supplier} />
        )
      }
    </Loaded>
  )
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
              Create a return
            </LinkButton>
            <LinkButton
              to="/purchase-orders/new"
              search={{ supplierId: supplier.id }}
              leftSection={<IconPlus size={16} />}
            >
              Create an order
            </LinkButton>
          </>
        }
      />
      <SupplierSections id={supplier.id} />
      <SupplierEdit supplier={supplier} />
      <Contacts supplier={supplier} />
      <SupplierDocuments supplier={supplier} />
    </PageBody>
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
