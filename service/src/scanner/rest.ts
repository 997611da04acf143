import type { Millis } from '../base/clock.ts'
import type { Tip } from '../chains/port.ts'

/**
 * How long the database is left alone while the nodes have no news. An operator may have resumed
 * the chain or requested a rescan, and a held transfer may have been released.
 */
const REST_MS: Millis = 5_000

/**
 * The tip at which a step found that nothing waits for confirmations. While the nodes report the
 * same head and final block, the next step would find the same, and reads nothing.
 */
export class Rest {
  #tip: Tip | null = null
  #since: Millis = 0

  begin(tip: Tip, now: Millis): void {
    this.#tip = tip
    this.#since = now
  }

  end(): void {
    this.#tip = null
  }

  isOn(now: Millis): boolean {
    return this.#tip !== null && now >= this.#since && now - this.#since < REST_MS
  }

  /** Whether the nodes still report the tip of the rest. */
  isAt({ head, final }: Tip): boolean {
    return this.#tip?.head.hash === head.hash && this.#tip.final?.hash === final?.hash
  }
}
