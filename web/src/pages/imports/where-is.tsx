import { Text } from '@mantine/core'
import { Card } from '../../components/layout/card.tsx'
import { TextLink } from '../../components/layout/link-button.tsx'
import { PageBody, PageHeader } from '../../components/layout/page.tsx'
import { RowTable } from '../../components/tables/row-table.tsx'

type Place = { there: string; here: string; to: string; note: string }

const places: Place[] = [
  {
    there: 'Purchase orders',
    here: 'Purchase orders',
    to: '/purchase-orders',
    note: 'Search also finds the old numbers.',
  },
  {
    there: 'Create a purchase order',
    here: 'Create an order',
    to: '/purchase-orders/new',
    note: 'By SKU, barcode, or from a pasted list.',
  },
  {
    there: 'E-mail a purchase order',
    here: 'Send, on the order',
    to: '/purchase-orders',
    note: 'With a PDF, and as CSV if you like.',
  },
  {
    there: 'Receive an order',
    here: 'Receive, on the order',
    to: '/purchase-orders',
    note: 'By hand or by scanner.',
  },
  {
    there: 'Invoice number, payment due, paid',
    here: 'Invoice, on the order',
    to: '/purchase-orders',
    note: 'As in your files; you can change them.',
  },
  {
    there: 'Shipping and adjustments of an order',
    here: 'Landed cost, on the order',
    to: '/purchase-orders',
    note: 'Charges that raise the landed cost.',
  },
  {
    there: 'Vendors',
    here: 'Suppliers',
    to: '/suppliers',
    note: 'Contacts, terms, currency, minimum order.',
  },
  {
    there: 'Vendors of products',
    here: 'Suppliers from vendors',
    to: '/suppliers/from-vendors',
    note: 'Makes the vendors of your products suppliers.',
  },
  {
    there: 'Supplier SKU and cost',
    here: 'Products of a supplier',
    to: '/suppliers',
    note: 'With prices by quantity and day.',
  },
  {
    there: 'Suggested orders',
    here: 'Reorder',
    to: '/reorder',
    note: 'One click makes a draft for each supplier.',
  },
  {
    there: 'Min and max levels',
    here: 'Reorder rules',
    to: '/reorder/rules',
    note: 'By hand, or computed from sales.',
  },
  { there: 'Stocktake', here: 'Counts', to: '/counts', note: 'Also by scanner and without a connection.' },
  {
    there: 'Stock adjustments',
    here: 'Adjust, in Stock',
    to: '/stock',
    note: 'Those of your files: Past adjustments.',
  },
  { there: 'Stock transfers', here: 'Transfers', to: '/transfers', note: 'Sent and received in steps.' },
  {
    there: 'Stock history',
    here: 'History, in Stock',
    to: '/stock/history',
    note: 'Each change with its cause.',
  },
  {
    there: 'Average cost',
    here: 'Costs, on a product',
    to: '/stock',
    note: 'The moving average with its ledger.',
  },
  {
    there: 'Inventory value report',
    here: 'Inventory value',
    to: '/reports/inventory-value',
    note: 'As of today, and by day.',
  },
  {
    there: 'Purchases by vendor',
    here: 'Procurement spend',
    to: '/reports/procurement-spend',
    note: 'Imported orders count, too.',
  },
  { there: 'Best sellers, ABC analysis', here: 'ABC analysis', to: '/reports/abc', note: 'By revenue.' },
  {
    there: 'Low stock report',
    here: 'Alerts',
    to: '/alerts',
    note: 'They say what runs out.',
  },
]

/** Where merchants of the earlier app find what they used there. */
export const WhereIs = () => (
  <PageBody>
    <PageHeader title="Where is X from Stocky?" back={{ to: '/imports', name: 'Move in' }} />
    <Card isFlush>
      <RowTable
        label="Where is X from Stocky?"
        rows={places}
        keyOf={({ there }) => there}
        columns={[
          { name: 'In Stocky', cell: ({ there }) => <Text fw={550}>{there}</Text> },
          {
            name: 'Here',
            cell: ({ here, to }) => (
              <TextLink to={to} size="sm">
                {here}
              </TextLink>
            ),
          },
          { name: 'Note', cell: ({ note }) => note },
        ]}
      />
    </Card>
  </PageBody>
)
