import { Button, Text, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import classes from './scan-answer.module.css'
import type { Tone } from './state.ts'
import { scrollToUnresolved } from './unresolved-scans.tsx'

type Props = {
  /** Null when the product was not scanned but added. */
  tone: Tone | null
  title: string
  /** The number of the product now, in large type. */
  number?: string
  /** What the number means, or what to do; below the title. */
  hint?: string | undefined
  action?: { name: string; onClick: () => void } | undefined
}

const icons = {
  right: <IconCircleCheck size={22} aria-hidden />,
  over: <IconAlertTriangle size={22} aria-hidden />,
  wrong: <IconCircleX size={22} aria-hidden />,
}

/** The answer to the last scan: icon, product, number, and one action. */
export function ScanAnswer({ tone, title, number, hint, action }: Props) {
  const { product, variant } = partsOf(title)
  return (
    <>
      <VisuallyHidden role="status">{[title, number, hint].filter(Boolean).join(': ')}</VisuallyHidden>
      {tone && (
        <span className={classes.icon} data-tone={tone}>
          {icons[tone]}
        </span>
      )}
      <div className={classes.text} data-tone={tone ?? undefined} aria-hidden>
        <Text className={classes.title}>{product}</Text>
        {variant && <Text className={classes.variant}>{variant}</Text>}
        {hint && (
          <Text size="sm" className={classes.hint} data-tone={tone ?? undefined}>
            {hint}
          </Text>
        )}
      </div>
      {number && (
        <Text className={classes.number} aria-hidden>
          {number}
        </Text>
      )}
      {action && (
        <Button className={classes.action} size="compact-md" variant="default" onClick={action.onClick}>
          {action.name}
        </Button>
      )}
    </>
  )
}

/** A code that does not count, with the way to the list of such codes. */
export const WrongCode = ({ text }: { text: string }) => (
  <ScanAnswer tone="wrong" title={text} action={{ name: 'Resolve', onClick: scrollToUnresolved }} />
)

/** A title is "product - variant". Narrow screens cut the product, never the variant. */
function partsOf(title: string): { product: string; variant: string } {
  const at = title.lastIndexOf(' - ')
  if (at === -1) return { product: title, variant: '' }
  return { product: title.slice(0, at), variant: title.slice(at + 3) }
}
