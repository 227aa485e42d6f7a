import type { ReactNode } from 'react'
import { TextLink } from '../layout/link-button.tsx'

type Props = { variantId: string; children: ReactNode }

/** Leads to the page of a product variant, whose address has the number that ends the id. */
export const VariantLink = ({ variantId, children }: Props) => (
  <TextLink
    to="/variants/$id"
    params={{ id: variantId.replace(/.*\//, '') }}
    underline="hover"
    inherit
    c="inherit"
  >
    {children}
  </TextLink>
)
