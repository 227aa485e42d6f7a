import { IconListCheck } from '@tabler/icons-react'
import { PdfButton } from '../../../components/layout/pdf-button.tsx'

/** Opens the pick list of a transfer, in the order of bins. */
export const PickListButton = ({ id }: { id: number }) => (
  <PdfButton
    path={`/stock-transfers/${id}/pick-list.pdf`}
    file={`pick-list-${id}.pdf`}
    label="Pick list"
    icon={<IconListCheck size={16} />}
  />
)
