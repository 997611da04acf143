import { setTimeout as wait } from 'node:timers/promises'
import { endow } from '../evm-send.ts'
import type { SandboxChain } from './chains.ts'
import { CONFIRMATIONS } from './config.ts'
import { sluice } from './launch.ts'
import type { SandboxState } from './state.ts'

const ONE_COIN = 10n ** 18n
/** A gas wallet is filled again when it holds less than this, and then to this much. */
const LOW = ONE_COIN
const FULL = 10n * ONE_COIN
const LOOK_MS = 1_000
const OPEN_POLL_MS = 100
const OPEN_LIMIT_MS = 30_000
const CORRECT_TRIES_MAX = 20

interface GasWorld {
  chains: readonly SandboxChain[]
  state: SandboxState
  configFile: string
}

/**
 * Keeps the gas wallets of the sandbox's organization filled, so that sweeps and withdrawals run
 * unattended; a chain whose wallet was set by hand is left alone.
 */
export class GasKeeper {
  readonly #world: GasWorld
  readonly #wallets: ReadonlyMap<string, string>
  readonly #leftAlone = new Set<string>()
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  private constructor(world: GasWorld, wallets: ReadonlyMap<string, string>) {
    this.#world = world
    this.#wallets = wallets
  }

  /** Fills the wallets once the service has opened them, and keeps them filled. */
  static async start(world: GasWorld): Promise<GasKeeper> {
    const selling = world.chains.filter(sellsGas)
    const keeper = new GasKeeper(world, await untilOpened(world, selling))
    for (const chain of world.chains) {
      if (await keeper.#fill(chain)) await chain.mine(CONFIRMATIONS)
    }
    keeper.#running = keeper.#keep()
    return keeper
  }

  /** The gas wallet on a chain; "" if the service has none there. */
  walletOn(chainId: string): string {
    return this.#wallets.get(chainId) ?? ''
  }

  /** Looks after the wallet of a chain again. */
  fillAgain(chainId: string): void {
    this.#leftAlone.delete(chainId)
  }

  /**
   * Sets the balance of a gas wallet. An increase is an ordinary payment. A decrease needs the
   * wallet's key: the chain's state is changed, and the operator's command books the loss, so that
   * the ledger agrees with the chain.
   */
  async set(chain: SandboxChain, amount: bigint): Promise<bigint> {
    const address = this.walletOn(chain.chainId)
    this.#leftAlone.add(chain.chainId)
    const { anvil, gas } = chain
    const [token] = chain.tokens
    if (token === undefined || !sellsGas(chain)) throw new Error(`${chain.chainId} has no gas`)
    const held = await chain.holding(address, token)
    if (amount > held) {
      await chain.payIn({ token, address, amount: amount - held })
    } else if (amount < held) {
      if (gas !== undefined) await gas.endow(address, amount)
      else if (anvil !== null) await endow(anvil, address, amount)
      await chain.mine(1)
      await this.#tell(chain)
    }
    return chain.holding(address, token)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await wait(LOOK_MS, undefined, { signal }).catch(() => undefined)
      for (const chain of this.#world.chains) {
        // A chain that is being stopped, or has no room for us at the moment: the next look sees.
        if (!signal.aborted) await this.#fill(chain).catch(() => false)
      }
    }
  }

  async #fill(chain: SandboxChain): Promise<boolean> {
    const address = this.walletOn(chain.chainId)
    const [token] = chain.tokens
    if (address === '' || token === undefined || this.#leftAlone.has(chain.chainId)) return false
    const held = await chain.holding(address, token)
    const { low = LOW, full = FULL } = chain.gas ?? {}
    if (held >= low) return false
    await chain.payIn({ token, address, amount: full - held })
    return true
  }

  /** Until the service has read the block in which the wallet holds less. */
  async #tell({ chainId }: SandboxChain): Promise<void> {
    const { configFile, state } = this.#world
    const why = ['--org', state.organization.id, '--reason', 'set by the sandbox']
    for (let tries = 1; ; tries += 1) {
      const told = await sluice(configFile, ['gas', 'correct', chainId, ...why]).catch(
        (error: unknown) => ({ failed: String(error), before: '', balance: '' }),
      )
      if (told['before'] !== told['balance']) return
      if (tries === CORRECT_TRIES_MAX) throw new Error(told['failed'] ?? 'nothing to correct')
      await wait(LOOK_MS / 2)
    }
  }
}

/** Whether fees on a chain are paid from gas wallets. */
export function sellsGas({ anvil, gas }: SandboxChain): boolean {
  return anvil !== null || gas !== undefined
}

/** The service opens the wallets itself, soon after it has reached a chain. */
async function untilOpened(
  { state }: GasWorld,
  chains: readonly SandboxChain[],
): Promise<ReadonlyMap<string, string>> {
  const until = Date.now() + OPEN_LIMIT_MS
  for (;;) {
    const wallets = await readWallets(state)
    if (chains.every(({ chainId }) => wallets.has(chainId))) return wallets
    if (Date.now() > until) throw new Error('the service opened no gas wallets')
    await wait(OPEN_POLL_MS)
  }
}

async function readWallets({ baseUrl, apiKey }: SandboxState): Promise<Map<string, string>> {
  const answer = await fetch(`${baseUrl}/gas-station`, { headers: { 'x-api-key': apiKey } })
  if (!answer.ok) throw new Error(`GET /gas-station answered ${await answer.text()}`)
  const { gasWallets } = (await answer.json()) as {
    gasWallets: { chainId: string; address: string }[]
  }
  return new Map(gasWallets.map(({ chainId, address }) => [chainId, address]))
}
