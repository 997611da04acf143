import { renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isValidClassicAddress } from 'ripple-address-codec'
import { decode } from 'ripple-binary-codec'
import { XrplChain } from '../xrpl-chain.ts'
import { startXrplNode } from '../xrpl-node.ts'
import type { SandboxChain } from './chains.ts'
import { sluiceRows } from './launch.ts'
import type { SandboxState } from './state.ts'

/** A running network of ledgers, and the end of it. */
export interface XrplSandbox {
  chain: SandboxChain
  stop(): Promise<void>
}

export const XRPL_ID = 'xrpl:testnet'
/** The file that keeps the ledgers from one start to the next. */
export const XRPL_FILE = 'xrpl-ledgers.json'
const TOKEN = {
  id: `${XRPL_ID}/slip44:144`,
  chainId: XRPL_ID,
  symbol: 'XRP',
  decimals: 6,
  address: null,
}
const LEDGER_MS = 2_000
const LOOK_MS = 500
/** Drops that a base account is given: its reserve, and fees for long. */
const FUNDS = 20_000_000n
const REQUIRE_DEST = 0x0002_0000

/** Starts a node, or continues its saved ledgers; closes one every two seconds. */
export async function startXrpl({
  port,
  folder,
}: {
  port: number
  folder: string
}): Promise<XrplSandbox> {
  const file = join(folder, XRPL_FILE)
  const ledgers = new XrplChain({ now: () => Date.now() / 1_000 })
  const saved = await readFile(file, 'utf8').catch(() => null)
  if (saved === null) ledgers.close(2)
  else ledgers.load(saved)
  // A closed ledger is final: it is saved before clients can read it, and survives a kill.
  const save = () => {
    writeFileSync(`${file}.new`, ledgers.save())
    renameSync(`${file}.new`, file)
  }
  // A removed folder is reported at the stop, which saves once more.
  const keep = () => {
    try {
      save()
    } catch {
      return
    }
  }
  ledgers.hear(keep)
  const node = await startXrplNode({ chain: ledgers, port })
  const stopping = new AbortController()
  const losses = new Losses(ledgers)
  const ticking = setInterval(() => {
    losses.strike()
    ledgers.close()
  }, LEDGER_MS)
  return {
    chain: {
      ...chainOf(ledgers, losses),
      /** Validated ledgers stay. */
      get floor() {
        return ledgers.closed().height
      },
      prepare: (state, configFile) =>
        readyBase(state, configFile, { ledgers, signal: stopping.signal }),
    },
    async stop() {
      stopping.abort()
      clearInterval(ticking)
      await node.stop()
      save()
    },
  }
}

/**
 * Gives the base account of the sandbox's organization the reserve that the ledger asks for, as an
 * operator does, and waits until the service issues addresses there.
 */
async function readyBase(
  state: SandboxState,
  configFile: string,
  { ledgers, signal }: { ledgers: XrplChain; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const base = await findBase(state, configFile)
    if (base?.['missing'] === '') return
    const address = base?.['address'] ?? ''
    if (isValidClassicAddress(address)) await fund(ledgers, address, signal)
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** The base account as the service has it; null before the service has opened one. */
async function findBase(
  { organization }: SandboxState,
  configFile: string,
): Promise<Record<string, string> | null> {
  const bases = await sluiceRows(configFile, ['xrpl', 'setup'])
  return (
    bases.find(({ orgId, chainId }) => orgId === organization.id && chainId === XRPL_ID) ?? null
  )
}

/** Pays the reserve if unfunded, and waits until the account refuses payments without a tag. */
async function fund(ledgers: XrplChain, address: string, signal: AbortSignal): Promise<void> {
  const find = () => ledgers.current().get(address)
  if (find() === undefined) {
    ledgers.pay({ to: address, amount: FUNDS })
    ledgers.close()
  }
  while (!signal.aborted && ((find()?.flags ?? 0) & REQUIRE_DEST) === 0) {
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Transactions of the service that the network loses, as often as they are handed to it. */
class Losses {
  readonly #ledgers: XrplChain
  readonly #lost = new Set<string>()
  #left = 0

  constructor(ledgers: XrplChain) {
    this.#ledgers = ledgers
  }

  lose(count: number): void {
    this.#left = count
    if (count === 0) this.#lost.clear()
  }

  /** Before each ledger closes: what waits then is the service's. */
  strike(): void {
    for (const hash of this.#ledgers.waiting) {
      if (this.#left === 0 || this.#lost.has(hash)) continue
      this.#lost.add(hash)
      this.#left -= 1
    }
    this.#ledgers.forget((hash) => this.#lost.has(hash))
  }
}

function chainOf(ledgers: XrplChain, losses: Losses): Omit<SandboxChain, 'floor'> {
  return {
    lose: (count) => losses.lose(count),
    chainId: XRPL_ID,
    bound: null,
    tokens: [TOKEN],
    anvil: null,
    payIn: async ({ address: to, amount, tag, promised }) => {
      losses.strike()
      const tagged = { to, ...(tag === undefined ? {} : { tag }) }
      const txnHash =
        promised === undefined
          ? ledgers.pay({ ...tagged, amount })
          : ledgers.payPartially({ ...tagged, amount: promised, delivered: amount })
      const { height, transactions } = ledgers.close()
      const paid = transactions.find(({ hash }) => hash === txnHash)
      if (paid === undefined) throw new Error('the payment came into no ledger')
      const { TransactionResult: result } = decode(paid.meta)
      // A base account that is ready refuses payments without a tag.
      const hasFailed = typeof result === 'string' && result !== 'tesSUCCESS'
      const failed = hasFailed ? { failed: result } : {}
      return { txnHash, blockNumber: height, ...failed }
    },
    head: async () => ledgers.closed().height,
    mine: async (blocks) => {
      losses.strike()
      ledgers.close(blocks)
    },
    reorg: async () => {
      throw new Error('a validated ledger is final')
    },
    holding: async (address) => ledgers.current().get(address)?.balance ?? 0n,
    isAddress: isValidClassicAddress,
  }
}
