import { setTimeout as wait } from 'node:timers/promises'
import { type Seeded, startXrplNode, XrplChain, type XrplNode, xrplWallet } from '@sluice/simulator'
import { decode } from 'ripple-binary-codec'
import {
  BlockMaker,
  type Movement,
  type OwnAddresses,
  type Payment,
  type SoakChain,
  type SoakChainOptions,
  Turns,
} from './chain.ts'

const ID = 'xrpl:testnet'
const COIN = `${ID}/slip44:144`
const LEDGER_MS = 2_000
const DROPS = 1_000_000n
const RESERVE = 20n * DROPS
const RECIPIENTS = 20
const FORGOTTEN = 0.3
/** A prepared base account refuses payments without a tag. */
const REQUIRE_DEST = 0x0002_0000
const READY_MS = 60_000

/** A simulated network of the XRP Ledger in this process; validated ledgers stay. */
export async function startXrplSoak(options: SoakChainOptions): Promise<SoakChain> {
  const chain = new XrplChain({ now: () => Date.now() / 1_000 })
  for (let at = 0; at < RECIPIENTS; at += 1) {
    chain.pay({ to: recipient(options.seed, at), amount: RESERVE })
    chain.close()
  }
  return new XrplSoak(chain, await startXrplNode({ chain }), options).door()
}

class XrplSoak {
  readonly #chain: XrplChain
  readonly #node: XrplNode
  readonly #options: SoakChainOptions
  readonly #turns = new Turns()

  constructor(chain: XrplChain, node: XrplNode, options: SoakChainOptions) {
    this.#chain = chain
    this.#node = node
    this.#options = options
  }

  door(): SoakChain {
    const chain = this.#chain
    const everyMs = this.#options.blockMs ?? LEDGER_MS
    const ledgers = new BlockMaker(this.#turns, everyMs, async () => chain.close())
    return {
      id: ID,
      family: 'xrpl',
      nodeUrl: this.#node.url,
      urlOf: (port) => `http://127.0.0.1:${port}`,
      config: { startHeight: 3 },
      listed: [],
      tokens: [COIN],
      reach: 0,
      depositOf: (random) => DROPS + BigInt(random.int(5e7)),
      withdrawalOf: (random) => DROPS + BigInt(random.int(1e6)),
      recipientOf: (number) => ({
        recipient: recipient(this.#options.seed, number % RECIPIENTS),
        memo: String(1_000_000 + number),
      }),
      pay: (payments) => this.#turns.take(async () => payments.forEach((one) => this.#pay(one))),
      fund: (own) => this.#fund(own),
      reorg: (random) => this.#turns.take(async () => this.#forget(random)),
      run: () => ledgers.run(),
      head: async () => ({ height: chain.validated().height, hash: chain.validated().hash }),
      movements: async () => this.#movements(),
      stop: async () => {
        ledgers.stop()
        await this.#node.stop()
      },
    }
  }

  #pay({ to, tag, amount }: Payment): void {
    this.#chain.pay({ to, amount, ...(tag === null ? {} : { tag }) })
  }

  /** Pays the reserve, and more only after the service has prepared the account. */
  async #fund({ settlement }: OwnAddresses): Promise<void> {
    await this.#turns.take(async () => void this.#chain.pay({ to: settlement, amount: RESERVE }))
    const end = Date.now() + READY_MS
    while (((this.#chain.account(settlement)?.flags ?? 0) & REQUIRE_DEST) === 0) {
      if (Date.now() > end) throw new Error('the base account is not ready in time')
      await wait(200)
    }
  }

  /** Restarted servers drop some pending transactions. */
  #forget(random: Seeded): null {
    this.#chain.forget(() => random.chance(FORGOTTEN))
    return null
  }

  #movements(): Movement[] {
    return this.#chain.ledgers.flatMap(({ transactions }) =>
      transactions.flatMap(({ hash, blob, meta }): Movement[] => {
        const { TransactionResult: result, delivered_amount: told } = decode(meta)
        const { TransactionType: type, Account, Destination, ...rest } = decode(blob)
        if (type !== 'Payment' || result !== 'tesSUCCESS') return []
        const amount = BigInt(textOf(told ?? rest['Amount']))
        const tag = rest['DestinationTag'] === undefined ? null : textOf(rest['DestinationTag'])
        const [from, to] = [textOf(Account), textOf(Destination)]
        return [{ txnHash: hash, from, to, tag, tokenId: COIN, amount }]
      }),
    )
  }
}

function recipient(seed: string, at: number): string {
  return xrplWallet(`${seed} ${at}`).address
}

/** Plain values are all that a payment of XRP has. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
