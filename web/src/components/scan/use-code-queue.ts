import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/api-error.ts'
import { retry } from '../../api/retry.ts'
import { useLookup } from '../forms/lookups.ts'
import { useFormat } from '../shop/format.ts'
import { play } from './signals.ts'
import type { Tone } from './state.ts'

/** What became of a code: `reason` says why it is listed as not added. Without `tone` there is no sound. */
export type CodeAnswer = { tone?: Tone; reason?: string }

/** A code that was not added, with the number of its scans. */
export type MissedCode = { code: string; times: number; reason: string }

export type CodeQueue = {
  /** The codes that wait for their answer, the one under way first. */
  waiting: readonly string[]
  missed: readonly MissedCode[]
  /** The API does not answer: the codes are sent again. */
  isAway: boolean
  add: (code: string) => void
  dropMissed: (code: string) => void
}

/** `isLast` says whether no further code waits, also after the request of the lookup. */
type LookUp = (code: string, queue: { isLast: () => boolean }) => Promise<CodeAnswer>

/**
 * Looks codes up one after another, so that a scanner can be faster than the network. Each code has its own answer, with the
 * sound of a scan. The page waits for the answers before it saves.
 */
export function useCodeQueue(lookUp: LookUp): CodeQueue {
  const { many } = useFormat()
  const [waiting, setWaiting] = useState<readonly string[]>([])
  const [missed, setMissed] = useState<readonly MissedCode[]>([])
  const [isAway, setAway] = useState(false)
  const codes = useRef<string[]>([])
  const isRunning = useRef(false)
  const left = useRef(new AbortController())
  // the newest function, which adds to the newest lines of the form
  const newest = useRef(lookUp)
  newest.current = lookUp
  useLookup(waiting.length === 0 ? null : many(waiting.length, 'code'))
  useEffect(() => {
    left.current = new AbortController()
    return () => left.current.abort()
  }, [])

  const answer = (code: string, { tone, reason }: CodeAnswer) => {
    // not in an effect, since React renders two answers that come together as one
    if (tone && !left.current.signal.aborted) play(tone)
    if (reason === undefined) return
    setMissed((before) => {
      const times = (before.find((miss) => miss.code === code)?.times ?? 0) + 1
      return [...before.filter((miss) => miss.code !== code), { code, times, reason }]
    })
  }

  const run = async () => {
    if (isRunning.current) return
    isRunning.current = true
    const { signal: leaving } = left.current
    const isLast = () => codes.current.length <= 1
    for (let code = codes.current[0]; code !== undefined && !leaving.aborted; code = codes.current[0]) {
      const sent = code
      try {
        answer(
          sent,
          await retry(() => newest.current(sent, { isLast }), {
            onFailure: () => setAway(true),
            signal: leaving,
          }),
        )
      } catch (error) {
        if (!leaving.aborted) answer(sent, { tone: 'wrong', reason: messageOf(error) })
      }
      setAway(false)
      codes.current = codes.current.slice(1)
      setWaiting(codes.current)
    }
    isRunning.current = false
  }

  return {
    waiting,
    missed,
    isAway,
    add: (text) => {
      const code = text.trim()
      if (code === '') return
      codes.current = [...codes.current, code]
      setWaiting(codes.current)
      void run()
    },
    dropMissed: (code) => setMissed((before) => before.filter((miss) => miss.code !== code)),
  }
}
