import '@mantine/core/styles/Radio.css'
import { Button, Group, Radio, Stack, TextInput } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { FormDialog } from '../../forms/form-dialog.tsx'
import { NumberField } from '../../forms/number-field.tsx'
import { useFormat } from '../../shop/format.ts'
import { codeOf } from '../codes.ts'
import type { Counted, GoodsRow } from './state.ts'

/**
 * The words of a document: "Accepted" and "Rejected" of an order, "Received" and "Damaged" of a transfer that arrives. Without
 * `rejected`, pieces are only accepted. With `currency`, the cost that was paid can be corrected.
 */
export type EditWords = { accepted: string; rejected: string | null; hasReason: boolean; currency?: string }

type Props = {
  row: GoodsRow
  words: EditWords
  /** The codes of the document: a scan of one is no cost. */
  codes: readonly { code: string }[]
  onSave: (counted: Counted) => void
  onCancel: () => void
  returnTo: RefObject<HTMLElement | null>
}

/** A scanner types into the focused field, and barcodes have at least 8 digits. */
const maxTyped = 9_999_999

const notANumber = 'Enter a number.'

/** Why a text is no number of pieces; NaN: it is no number at all. */
const faultOf = (number: number | '') => {
  if (Number.isNaN(number)) return notANumber
  return Number(number) > maxTyped && 'This looks like a barcode. Enter the number of pieces.'
}

/** Corrects the numbers of a line and the cost that was paid, and takes rejected pieces with their reason. */
export function EditDialog({ row, words, codes, onSave, onCancel, returnTo }: Props) {
  const [accepted, setAccepted] = useState<number | ''>(row.accepted)
  const [rejected, setRejected] = useState<number | ''>(row.rejected)
  const [reason, setReason] = useState(row.reason)
  const [outcome, setOutcome] = useState<'replace' | 'credit'>(row.outcome ?? 'replace')
  const [unitCost, setUnitCost] = useState<number | ''>(row.unitCost ?? '')
  const [typedCost, setTypedCost] = useState('')
  const format = useFormat(words.currency)
  const [isTried, setTried] = useState(false)
  const hasRejected = Number(rejected) > 0
  const isReasonMissing = words.hasReason && hasRejected && reason.trim() === ''
  const costFault = () => {
    if (Number.isNaN(unitCost)) return notANumber
    // a cost in a currency such as IDR may be above the limit of pieces
    const isTyped = /^\d{8,14}$/.test(typedCost) && Number(typedCost) === unitCost
    const isCode = typedCost.length >= 12 || codes.some(({ code }) => codeOf(code) === codeOf(typedCost))
    return isTyped && isCode && 'This looks like a barcode. Enter what one piece costs.'
  }
  return (
    <FormDialog
      opened
      onClose={onCancel}
      title={row.title}
      returnFocus={false}
      onExitTransitionEnd={() => returnTo.current?.focus()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (isReasonMissing || faultOf(accepted) || faultOf(rejected) || costFault()) return
          onSave({
            accepted: Number(accepted),
            rejected: Number(rejected),
            reason: hasRejected ? reason.trim() : '',
            outcome: hasRejected ? (words.hasReason ? outcome : 'credit') : null,
            ...(words.currency !== undefined && { unitCost: unitCost === '' ? null : unitCost }),
          })
          returnTo.current?.focus()
        }}
      >
        <Stack>
          <NumberField
            size="md"
            label={words.accepted}
            value={accepted}
            error={faultOf(accepted)}
            onChange={setAccepted}
            data-autofocus
          />
          {words.rejected !== null && (
            <NumberField
              size="md"
              label={words.rejected}
              description="These pieces do not go into stock."
              value={rejected}
              error={faultOf(rejected)}
              onChange={setRejected}
            />
          )}
          {hasRejected && words.hasReason && (
            <Rejection
              {...{ reason, setReason, outcome, setOutcome }}
              error={isTried && isReasonMissing && 'Enter a reason.'}
            />
          )}
          {words.currency !== undefined && (
            <NumberField
              size="md"
              label="Unit cost paid"
              description="Only if it differs from the order"
              placeholder={row.cost == null ? 'Not known' : format.cost(row.cost)}
              decimals={4}
              currency={words.currency}
              value={unitCost}
              error={costFault()}
              onInput={({ currentTarget }) => setTypedCost(currentTarget.value.trim())}
              onChange={setUnitCost}
            />
          )}
          <Group justify="flex-end" gap="xs">
            <Button size="md" variant="default" onClick={onCancel}>
              Cancel
            </Button>
            <Button size="md" type="submit">
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </FormDialog>
  )
}

type RejectionProps = {
  reason: string
  setReason: (reason: string) => void
  outcome: 'replace' | 'credit'
  setOutcome: (outcome: 'replace' | 'credit') => void
  error: string | false
}

const Rejection = ({ reason, setReason, outcome, setOutcome, error }: RejectionProps) => (
  <>
    <TextInput
      size="md"
      label="Reason"
      placeholder="Broken, wrong colour …"
      maxLength={200}
      value={reason}
      onChange={(event) => setReason(event.currentTarget.value)}
      error={error}
    />
    <Radio.Group
      label="The supplier"
      value={outcome}
      onChange={(value) => setOutcome(value === 'credit' ? 'credit' : 'replace')}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="replace" label="replaces them: they stay outstanding" />
        <Radio value="credit" label="credits them: nothing more is expected" />
      </Stack>
    </Radio.Group>
  </>
)
