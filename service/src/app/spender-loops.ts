import type { ChainEntry } from '../catalogue/chains.ts'
import { openAlarm } from '../chains/alarm.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { FeeBook } from '../gas/fee-book.ts'
import { noteShortage } from '../gas/level.ts'
import { compareSenders } from '../transactions/prepare.ts'
import { holdLease } from '../store/hold-lease.ts'
import { openDustBook } from '../gas/dust.ts'
import { newRound } from '../sweeps/gather.ts'
import type { ChainWorld } from './chain-world.ts'
import type { ChainConfig } from './config-chains.ts'
import type { Config } from './config.ts'
import { CHAIN_FIELDS } from './config-fields.ts'
import { crashing } from './crash-at.ts'
import { bumpAfterBlocks, feeCapsOf } from './fee-caps.ts'
import type { SpenderKeys } from './keys.ts'
import type { Loop } from './loops.ts'
import { type OpenWorkReader, openWorkReader } from './open-work.ts'
import { openSpendHooks } from './spend-hooks.ts'
import { type Spender, attempt, spendRound } from './spend-round.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/**
 * How often a round is made without open work: fees, dust, gas levels and tickets change by
 * themselves.
 */
const ROUND_MS = 20_000

/** The name of the lease under which one process signs on a chain. */
export function spenderLease(chainId: string): string {
  return `spender:${chainId}`
}

/** The loops of the role `spender`: one for each chain, so that a failed chain delays no other. */
export function spenderLoops(world: ChainWorld, keys: SpenderKeys, fees: FeeBook): Loop[] {
  const openWork = openWorkReader(
    world,
    world.chains.all().map(({ chainId }) => chainId),
  )
  return world.chains.all().flatMap((adapter) => {
    const entry = world.catalogue.chain(adapter.chainId)
    return entry === null ? [] : [spenderLoop(world, { keys, fees, openWork, adapter, entry })]
  })
}

function spenderLoop(
  world: ChainWorld,
  options: {
    keys: SpenderKeys
    fees: FeeBook
    openWork: OpenWorkReader
    adapter: ChainAdapter
    entry: ChainEntry
  },
): Loop {
  const { entry, openWork } = options
  const wanted = { name: spenderLease(entry.id), holder: world.holder }
  const chain = world.config.chains.find(({ id }) => id === entry.id)
  const pollMs = chain?.pollMs ?? world.config.pollMs
  const run = (signal: AbortSignal) =>
    holdLease(world, wanted, signal, (lease, term) =>
      serve(world, spenderOf(world, { ...options, lease, term }), { openWork, pollMs }),
    )
  return { name: `spender ${entry.id}`, run }
}

function spenderOf(
  world: ChainWorld,
  options: Pick<Spender, 'adapter' | 'entry' | 'lease' | 'term' | 'fees'> & { keys: SpenderKeys },
): Spender {
  const { config, database, catalogue, clock, log } = world
  const { entry, keys } = options
  const chain = config.chains.find(({ id }) => id === entry.id)
  return {
    ...options,
    ...crashing(config.crashAt),
    ...termsOf(config),
    database,
    catalogue,
    clock,
    log,
    round: newRound(),
    dust: openDustBook(),
    serviceKey: keys.serviceKey,
    caps: feeCapsOf(entry, chain),
    bumpAfterBlocks: bumpAfterBlocks(entry, chain),
    ...joiningOf(chain),
    compared: new Set(),
    hooks: openSpendHooks({ catalogue }),
    readied: new Set(),
    tickets: chain?.tickets ?? CHAIN_FIELDS.tickets.default ?? 0,
    told: new Set(),
    last: new Set(),
    gasShort: (tx, { orgId, chainId }) =>
      noteShortage(tx, { serviceKey: keys.serviceKey, catalogue, orgId, chainId }),
  }
}

function termsOf(config: Config) {
  return {
    approvalMaxAgeMs: config.approvalMaxAgeHours * HOUR_MS,
    gasWaitMs: config.gasWaitMinutes * MINUTE_MS,
    gasLowSweeps: config.gasLowSweeps,
    feeMultiple: BigInt(config.sweepFeeMultiple),
    maxAgeMs: config.sweepMaxAgeHours * HOUR_MS,
  }
}

/** How many one transaction pays, and when coins are joined. */
function joiningOf(chain: ChainConfig | undefined) {
  const batchMax = chain?.withdrawalBatchMax
  const fromCoins = chain?.consolidateFromCoins ?? null
  const belowPerKvb = chain?.consolidateBelowPerKvb ?? null
  const isOn = fromCoins !== null && belowPerKvb !== null
  return {
    ...(batchMax !== undefined && { batchMax }),
    ...(isOn && { joining: { fromCoins, belowPerKvb } }),
  }
}

/**
 * One term of the lease: compares our senders with the chain first, then makes rounds. No
 * transaction is signed before that comparison has succeeded (W25).
 */
async function serve(
  { bell, clock }: ChainWorld,
  spender: Spender,
  { openWork, pollMs }: { openWork: OpenWorkReader; pollMs: number },
): Promise<void> {
  const { term } = spender
  const compare = () =>
    attempt(spender, 'the comparison of nonces', async () => {
      await compareSenders(spender)
    })
  while (!term.aborted && !(await compare())) await clock.sleep(pollMs, term)
  const alarm = openAlarm()
  const unsubscribe = bell.answer(alarm.ring)
  const rounds = new Rounds(spender, openWork)
  try {
    for (let rang = true; !term.aborted; ) {
      if (rang || (await rounds.isDue())) {
        if ((await rounds.make()) > 0) bell.ring()
        await clock.sleep(pollMs, term)
        rang = false
      } else {
        rang = await alarm.sleep(clock, Math.max(pollMs, openWork.untilNext()), term)
      }
    }
  } finally {
    unsubscribe()
  }
}

/** The rounds of one term. */
class Rounds {
  readonly #spender: Spender
  readonly #openWork: OpenWorkReader
  #newest = ''
  #madeAt = Number.NEGATIVE_INFINITY

  constructor(spender: Spender, openWork: OpenWorkReader) {
    this.#spender = spender
    this.#openWork = openWork
  }

  /** Whether a round has work, or the last one was long ago. */
  async isDue(): Promise<boolean> {
    const { clock, entry, term } = this.#spender
    if (clock.now() - this.#madeAt >= ROUND_MS) return true
    let isOpen = false
    await attempt(this.#spender, 'open work', async () => {
      const { chains, newest } = await this.#openWork.read(term)
      isOpen = chains.has(entry.id) || newest !== this.#newest
      this.#newest = newest
    })
    return isOpen
  }

  async make(): Promise<number> {
    this.#madeAt = this.#spender.clock.now()
    return spendRound(this.#spender)
  }
}
