import { isSluiceError } from '@sluice/client'
import { useEffect, useState } from 'react'

const SECOND_MS = 1_000

/** The seconds that a refusal asks to wait, counted down to 0; 0 without such a refusal. */
export function useWait(error: unknown): number {
  const asked = secondsOf(error)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    setLeft(asked)
    if (asked === 0) return undefined
    const until = Date.now() + asked * SECOND_MS
    const timer = setInterval(() => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / SECOND_MS))
      setLeft(seconds)
      if (seconds === 0) clearInterval(timer)
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [error, asked])
  return left
}

/** The seconds that a refusal asks to wait; 0 for any other error. */
export function secondsOf(error: unknown): number {
  return isSluiceError(error, 'RATE_LIMIT_EXCEEDED') ? (error.retryAfterSeconds ?? 0) : 0
}
