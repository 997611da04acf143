import type { Signer } from '@sluice/signer'
import { raiseIfNews, resolveAlert } from '../alerts/raise-alert.ts'
import { Outage } from '../base/fault.ts'
import type { Database } from '../store/database.ts'
import type { ChainWorld } from './chain-world.ts'
import { type Loop, every } from './loops.ts'

const LOOK_MS = 2_000
const ALERT = { code: 'signer.away', subject: 'signer' } as const

/**
 * Asks the signer whether it is there, and raises an alert while it is away. The first question
 * after a failure connects again, or starts the child again.
 */
export function signerLoop(world: ChainWorld, signer: Signer): Loop {
  const watch = new SignerWatch(world.database, signer)
  return every(world, { name: 'signer', everyMs: LOOK_MS, tick: () => watch.look() })
}

/** The alert about a signer. */
class SignerWatch {
  readonly #database: Database
  readonly #signer: Pick<Signer, 'fingerprint'>
  /** Whether no alert is open. */
  #isWell = false

  constructor(database: Database, signer: Pick<Signer, 'fingerprint'>) {
    this.#database = database
    this.#signer = signer
  }

  /** Raises or resolves the alert. Throws the Outage of the signer. */
  async look(): Promise<void> {
    try {
      await this.#signer.fingerprint()
    } catch (error) {
      if (error instanceof Outage) await this.#raise(error.message)
      throw error
    }
    if (this.#isWell) return
    await this.#database.transaction((tx) => resolveAlert(tx, ALERT))
    this.#isWell = true
  }

  async #raise(cause: string): Promise<void> {
    this.#isWell = false
    const message = `${cause}. No transaction is signed; withdrawals wait.`
    await this.#database.transaction((tx) => raiseIfNews(tx, { ...ALERT, message }))
  }
}
