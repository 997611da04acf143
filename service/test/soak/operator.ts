import { sql } from 'kysely'
import type { SoakDatabase } from './database.ts'
import { DATABASE } from './place.ts'
import { runSluice } from './service.ts'
import { pause } from './trouble.ts'

const LOOK_MS = 3_000
const REASON = 'looked at by the operator of the soak'

export interface Acts {
  /** Freezes that were ended, by their causes. */
  resumed: { chainId: string; condition: string; cause: string }[]
  /** Deposits and fundings that were held and released. */
  released: { what: string; cause: string }[]
  failures: string[]
}

/**
 * An operator who inspects stopped objects and continues them with the commands of the runbooks.
 */
export class Operator {
  readonly acts: Acts = { resumed: [], released: [], failures: [] }
  readonly #database: SoakDatabase
  readonly #config: string

  constructor(database: SoakDatabase, config: string) {
    this.#database = database
    this.#config = config
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(LOOK_MS, signal)
      await this.look().catch((error: unknown) => void this.acts.failures.push(String(error)))
    }
  }

  /** One check of all stopped objects. */
  async look(): Promise<void> {
    const frozen = await this.#database.many(
      DATABASE,
      sql<{ chainId: string; condition: string; cause: string }>`
        select chain_id as "chainId", condition, condition_cause as cause
          from chain_states
         where condition <> 'running'`,
    )
    for (const one of frozen) {
      if (await this.#run(['chain', 'resume', one.chainId, '--reason', REASON])) {
        this.acts.resumed.push(one)
      }
    }
    const held = await this.#database.many(
      DATABASE,
      sql<{ id: string; what: 'deposit' | 'gas'; cause: string }>`
        select id, case when purpose = 'deposit' then 'deposit' else 'gas' end as what,
               held_cause as cause
          from incoming_transfers
         where status = 'Held'`,
    )
    for (const { id, what, cause } of held) {
      const done = await this.#run([what, 'release', id, '--reason', REASON])
      if (done) this.acts.released.push({ what, cause })
    }
  }

  async #run(args: readonly string[]): Promise<boolean> {
    const { code, stderr } = await runSluice(this.#config, args)
    if (code !== 0) this.acts.failures.push(`sluice ${args.join(' ')}: ${stderr.slice(0, 300)}`)
    return code === 0
  }
}
