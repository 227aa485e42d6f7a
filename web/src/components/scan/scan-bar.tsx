import { ActionIcon, Loader, Text, TextInput } from '@mantine/core'
import { IconBarcode, IconCheck, IconCloudOff, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import type { ReactNode, RefObject } from 'react'
import classes from './scan-bar.module.css'
import { setMuted, useMuted, useSignals } from './signals.ts'
import { isSynced, type QueueState, queueFailure, type Signal } from './state.ts'
import { useScannerFocus } from './use-scanner.ts'

type Props = {
  onScan: (text: string) => void
  field: RefObject<HTMLInputElement | null>
  state: Pick<
    QueueState<unknown, unknown, string>,
    'entries' | 'scans' | 'syncFailure' | 'lookupFailure' | 'signal'
  >
  /** The last scan (`ScanAnswer`). */
  last: ReactNode
  /** The progress of the document, such as "3 of 10 pieces". */
  progress: ReactNode
  /** The scans stay on this device until the merchant sends them. */
  isLocal?: boolean
}

/** The field that takes scans, with the last scan, the progress and the save status. It stays visible on scroll. */
export function ScanBar({ onScan, field, state, last, progress, isLocal = false }: Props) {
  useScannerFocus(field)
  useSignals(state.signal)
  return (
    <section className={classes.bar} aria-label="Scanning" data-tone={state.signal?.tone}>
      <Flash signal={state.signal} />
      <div className={classes.entry}>
        <TextInput
          ref={field}
          className={classes.field}
          label="Scan or type a barcode or SKU"
          size="md"
          leftSection={<IconBarcode size={20} aria-hidden />}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={200}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            onScan(event.currentTarget.value)
            event.currentTarget.value = ''
          }}
        />
        <SoundSwitch />
      </div>
      <div className={classes.line}>
        <div className={classes.last}>{last}</div>
        <div className={classes.progress}>
          <Text size="sm" className={classes.number}>
            {progress}
          </Text>
          <SaveState state={state} isLocal={isLocal} />
        </div>
      </div>
    </section>
  )
}

/** Colours the bar for a moment; a new element restarts the animation. Without motion only the bar's edge has the colour. */
const Flash = ({ signal }: { signal: Signal | null }) =>
  signal && <div key={signal.turn} className={classes.flash} data-tone={signal.tone} aria-hidden />

function SoundSwitch() {
  const isMuted = useMuted()
  return (
    <ActionIcon
      variant="default"
      size={44}
      aria-label="Sound of scans"
      aria-pressed={!isMuted}
      onClick={() => setMuted(!isMuted)}
    >
      {isMuted ? <IconVolumeOff size={20} aria-hidden /> : <IconVolume size={20} aria-hidden />}
    </ActionIcon>
  )
}

const failures: Record<Exclude<ReturnType<typeof queueFailure>, 'none'>, string> = {
  retrying: 'Not saved, retrying',
  session: 'Not saved, session expired',
  refused: 'Not saved',
}

function SaveState({ state, isLocal }: Pick<Props, 'state' | 'isLocal'>) {
  const failure = queueFailure(state)
  if (failure !== 'none') {
    return (
      <Text size="sm" className={classes.failure} role="alert">
        <IconCloudOff size={16} aria-hidden />
        {failures[failure]}
      </Text>
    )
  }
  if (isLocal) {
    return (
      <Text size="sm" c="dimmed" className={classes.saved}>
        {state.entries.size > 0 && 'Kept on this device'}
      </Text>
    )
  }
  const isSaved = isSynced(state)
  return (
    <Text size="sm" c="dimmed" className={classes.saved}>
      {isSaved ? <IconCheck size={16} aria-hidden /> : <Loader size={14} color="gray.6" aria-hidden />}
      {isSaved ? 'Saved' : 'Saving …'}
    </Text>
  )
}
