import { Text } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import type { Supplier } from '../../../../shared/schemas/suppliers.ts'
import { Notice } from '../../components/feedback/notice.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { RestoreSupplier } from './restore-supplier.tsx'
import { SupplierDocuments } from './supplier-documents.tsx'

/** The page of an archived supplier, to which its orders link. The API refuses changes of the supplier. */
export const ArchivedSupplier = ({ supplier }: { supplier: Supplier }) => (
  <PageBody>
    <PageHeader title={supplier.name} back={{ to: '/suppliers', name: 'Suppliers' }} />
    <Notice tone="waiting" icon={<IconArchive />} title="This supplier is archived">
      <Text c="#1c2024">
        Restore it to see and change its details, products and prices, and to order from it again.
      </Text>
      <RestoreSupplier supplier={supplier} mt="sm" />
    </Notice>
    <SupplierDocuments supplier={supplier} />
  </PageBody>
)
