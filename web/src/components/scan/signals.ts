import { useEffect, useSyncExternalStore } from 'react'
import { openLocalStore } from '../../browser/local-store.ts'
import type { Signal, Tone } from './state.ts'

/** Hz and seconds, one after the other: rising for right, level for more than expected, low and long for wrong. */
const sounds: Record<Tone, readonly (readonly [hertz: number, seconds: number])[]> = {
  right: [
    [880, 0.06],
    [1320, 0.08],
  ],
  over: [
    [660, 0.12],
    [660, 0.12],
  ],
  wrong: [[165, 0.45]],
}

/** Milliseconds of vibration and pause in turn. */
const vibrations: Record<Tone, number[]> = { right: [40], over: [60, 60, 60], wrong: [350] }

const volume = 0.25

let audio: AudioContext | undefined

/** Answers a scan with a sound, unless the merchant has turned it off on this device, and with a vibration. */
export function play(tone: Tone): void {
  if (!isMuted()) sound(tone)
  navigator.vibrate?.(vibrations[tone])
}

/** A browser that forbids or lacks sound stays silent: colour and text say the same. */
function sound(tone: Tone): void {
  try {
    audio ??= new AudioContext()
    void audio.resume()
    let start = audio.currentTime
    for (const [hertz, seconds] of sounds[tone]) {
      const oscillator = new OscillatorNode(audio, { type: 'square', frequency: hertz })
      const gain = new GainNode(audio, { gain: volume })
      // fades out, since a cut wave clicks
      gain.gain.setTargetAtTime(0, start + seconds * 0.7, seconds * 0.1)
      oscillator.connect(gain).connect(audio.destination)
      oscillator.start(start)
      oscillator.stop(start + seconds)
      start += seconds
    }
  } catch {
    // no sound on this device
  }
}

const muted = openLocalStore<true>('scan sound off')
const listeners = new Set<() => void>()

const isMuted = () => muted.all().length > 0

export function setMuted(isOff: boolean): void {
  if (isOff) muted.put('all', true)
  else muted.remove('all')
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const useMuted = () => useSyncExternalStore(subscribe, isMuted)

/** Answers each scan of a queue, and several that are refused together with one sound. */
export function useSignals(signal: Signal | null): void {
  const { tone, turn } = signal ?? {}
  useEffect(() => {
    if (tone !== undefined && turn !== undefined) play(tone)
  }, [tone, turn])
}
