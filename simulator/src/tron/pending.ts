import type { TronBlock } from './block.ts'
import { bandwidthOf, execute, faultOf, type Ground } from './execute.ts'
import { copyState, type State } from './state.ts'
import type { TronTransaction } from './transaction.ts'

/** Inputs of the pending state in addition to the head's state. */
export interface Waiting {
  head(): TronBlock
  ground(): Ground
  pool: ReadonlyMap<string, TronTransaction>
  /** Changes of state and contracts that no transaction made. */
  changes: number
}

/** Whether a block on top of one of this time would include a transaction. */
export function isValid(
  state: State,
  ground: Ground,
  { transaction, after }: { transaction: TronTransaction; after: number },
): boolean {
  return (
    transaction.expiration > after &&
    faultOf(state, ground, transaction) === null &&
    bandwidthOf(state, ground, transaction) !== null
  )
}

/** The state of the head with the pool executed on top, computed once for each change of either. */
export class PendingState {
  #known: { head: TronBlock; key: string; state: State } | null = null

  read(state: State, chain: Waiting): State {
    const { pool, changes } = chain
    if (pool.size === 0) return state
    const [head, ground] = [chain.head(), chain.ground()]
    const key = [changes, ground.scripts.size, ...pool.keys()].join(' ')
    if (this.#known?.head === head && this.#known.key === key) return this.#known.state
    const next = copyState(state)
    for (const transaction of pool.values()) {
      if (isValid(next, ground, { transaction, after: head.time })) {
        execute(next, ground, transaction)
      }
    }
    this.#known = { head, key, state: next }
    return next
  }
}
