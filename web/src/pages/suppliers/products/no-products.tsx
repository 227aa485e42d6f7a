import { LinkButton } from '../../../components/layout/link-button.tsx'
import { Empty } from '../../../components/tables/data-list.tsx'

export const NoProducts = ({ isSearch, id }: { isSearch: boolean; id: number }) =>
  isSearch ? (
    <Empty title="No matching products" text="Search for another text, or clear the search." />
  ) : (
    <Empty
      title="No products yet"
      text="Add what this supplier sells, with its code, pack size and price, so that orders fill themselves. Search for a product above, or import the supplier’s price list."
      action={
        <LinkButton to="/suppliers/price-list" search={{ supplierId: id }}>
          Import a price list
        </LinkButton>
      }
    />
  )
