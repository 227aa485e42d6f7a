import { StatusLink, StatusLinks } from '../../components/tables/status-links.tsx'

/** The pages of one supplier. */
export function SupplierSections({ id }: { id: number }) {
  return (
    <StatusLinks label="Sections">
      <StatusLink to="/suppliers/$id" params={{ id }} isChosen={!location.pathname.endsWith('/products')}>
        Details
      </StatusLink>
      <StatusLink
        to="/suppliers/$id/products"
        params={{ id }}
        isChosen={location.pathname.endsWith('/products')}
      >
        Products and prices
      </StatusLink>
    </StatusLinks>
  )
}
