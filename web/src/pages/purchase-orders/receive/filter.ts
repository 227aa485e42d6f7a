import { readPositive } from '../../../components/tables/address.ts'

/** The draft to continue, in the URL. */
export const readDraft = ({ draft }: Record<string, unknown>): { draft?: number } =>
  readPositive('draft', draft)
