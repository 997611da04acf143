const RETRIES_MOST = 10
/** The longest delay of a timer; a longer one fires at once. */
const TIMEOUT_MOST_MS = 2 ** 31 - 1

/** Throws a RangeError where how long an attempt may take, or how many there are, is no sense. */
export function checkCallLimits({
  timeoutMs,
  retries,
}: {
  timeoutMs: number
  retries: number
}): void {
  if (!(timeoutMs >= 1 && timeoutMs <= TIMEOUT_MOST_MS))
    throw new RangeError(`timeoutMs must be 1 to ${TIMEOUT_MOST_MS} milliseconds`)
  if (!Number.isInteger(retries) || retries < 0 || retries > RETRIES_MOST)
    throw new RangeError(`retries must be a whole number from 0 to ${RETRIES_MOST}`)
}
