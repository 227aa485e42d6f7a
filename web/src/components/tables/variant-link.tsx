import type { ReactNode } from 'react'
import { TextLink } from '../layout/link-button.tsx'

type Props = { variantId: string; children: ReactNode }

/** The parameter of `/variants/$id`: the number that ends the id of a variant. */
export const variantParams = (variantId: string) => ({ id: variantId.replace(/.*\//, '') })

/** Leads to the page of a product variant. */
export const VariantLink = ({ variantId, children }: Props) => (
  <TextLink to="/variants/$id" params={variantParams(variantId)} underline="hover" inherit c="inherit">
    {children}
  </TextLink>
)
