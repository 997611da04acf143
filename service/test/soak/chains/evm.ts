import {
  type Anvil,
  decodeUint,
  deploy,
  devWallet,
  encodeCall,
  endow,
  type Hex,
  invoke,
  mined,
  type ReorgTransaction,
  type Seeded,
  send,
  startAnvil,
  testTokenInitCode,
  type Wallet,
  walletOf,
} from '@sluice/simulator'
import {
  type Movement,
  type Payment,
  type SoakChain,
  type SoakChainOptions,
  Turns,
} from './chain.ts'

const ID = 'eip155:11155111'
const COIN = `${ID}/slip44:60`
const METADATA = { name: 'Test Dollar', symbol: 'TUSD', decimals: 6 }
const CONFIRMATIONS = 4
const REACH = 16
const BLOCK_SECONDS = 2
const PAYERS = 64
const ETHER = 10n ** 18n
const DOLLAR = 1_000_000n
/** Less would not be worth its fee, and wait until fees are lower. */
const FLOOR = ETHER / 50n
const KEEP_CHANCE = 0.7
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** Enough for contract calls here; a native payment takes 21,000. */
const GAS = 120_000

/** A real anvil with its own token; many payers, each in the order of its nonces. */
export async function startEvmSoak({ seed, blockMs }: SoakChainOptions): Promise<SoakChain> {
  const blockTimeSeconds = blockMs === undefined ? BLOCK_SECONDS : Math.ceil(blockMs / 1_000)
  const anvil = await startAnvil({ chainId: 11_155_111, blockTimeSeconds })
  const owner = devWallet(0)
  const made = await deploy(anvil, owner, testTokenInitCode(METADATA))
  await mined(anvil, made)
  const payers = Array.from({ length: PAYERS }, (_, at) => walletOf(keyOf(`${seed} ${at}`)))
  for (const { address } of payers) await endow(anvil, address, 1_000n * ETHER)
  return new EvmSoak(anvil, made.address, payers).door()
}

class EvmSoak {
  readonly #anvil: Anvil
  readonly #contract: string
  readonly #token: string
  readonly #payers: readonly Wallet[]
  /** Signed bytes by hash: a reorg may bring them back. */
  readonly #sent = new Map<string, { raw: Hex; payer: number }>()
  readonly #turns = new Turns()
  #next = 0

  constructor(anvil: Anvil, contract: string, payers: readonly Wallet[]) {
    this.#anvil = anvil
    this.#contract = contract
    this.#token = `${ID}/erc20:${contract}`
    this.#payers = payers
  }

  door(): SoakChain {
    const anvil = this.#anvil
    return {
      id: ID,
      family: 'evm',
      nodeUrl: anvil.url,
      urlOf: (port) => `http://127.0.0.1:${port}`,
      config: { confirmations: CONFIRMATIONS, startHeight: 1, feeBumpAfterBlocks: 8 },
      listed: [{ id: this.#token, ...METADATA, sweepAmount: String(300n * DOLLAR) }],
      tokens: [COIN, this.#token],
      reach: REACH,
      depositOf: (random, tokenId) =>
        tokenId === COIN ? BigInt(1 + random.int(1e9)) * 100_000n : BigInt(1 + random.int(5e7)),
      withdrawalOf: (random, tokenId) =>
        tokenId === COIN
          ? FLOOR + BigInt(random.int(1e9)) * 1_000_000n
          : BigInt(1 + random.int(1e7)),
      recipientOf: (number) => ({
        recipient: `0x50a4${number.toString(16).padStart(36, '0')}`,
        memo: null,
      }),
      pay: (payments) => this.#turns.take(() => this.#pay(payments)),
      fund: (own) => this.#turns.take(() => this.#fund(own.settlement, own.gas)),
      reorg: (random, from) => this.#turns.take(() => this.#reorg(random, from)),
      run: () => undefined,
      head: () => this.#head(),
      movements: () => this.#movements(),
      stop: () => anvil.stop(),
    }
  }

  async #pay(payments: readonly Payment[]): Promise<void> {
    for (const { to, tokenId, amount } of payments) {
      const payer = this.#next++ % PAYERS
      const wallet = this.#payers[payer]
      if (wallet === undefined) throw new Error('nobody pays')
      const request =
        tokenId === COIN
          ? { to, value: amount, gas: 21_000 }
          : { to: this.#contract, data: mint(to, amount), gas: GAS }
      const { hash, raw } = await send(this.#anvil, wallet, request)
      this.#sent.set(hash, { raw, payer })
    }
  }

  async #fund(settlement: string, gas: string): Promise<void> {
    const owner = devWallet(1)
    await mined(this.#anvil, await send(this.#anvil, owner, { to: gas, value: 1_000n * ETHER }))
    const request = { to: settlement, value: 1_000n * ETHER }
    await mined(this.#anvil, await send(this.#anvil, owner, request))
    const minted = [settlement, 10n ** 9n * DOLLAR]
    const call = 'mint(address,uint256)'
    await mined(this.#anvil, await invoke(this.#anvil, owner, this.#contract, call, minted))
  }

  /**
   * Some payments of the removed blocks vanish, the others return in order; transactions of the
   * service vanish and have to be rebroadcast.
   */
  async #reorg(random: Seeded, from: number | null): Promise<number> {
    const { height } = await this.#head()
    const wanted = from === null ? 1 + random.int(CONFIRMATIONS) : height - from + 1
    const depth = Math.min(wanted, height - 3)
    if (depth < 1) return 0
    const kept: ReorgTransaction[] = []
    const lost = new Set<number>()
    let offset = 0
    for (let at = height - depth + 1; at <= height; at += 1) {
      const block = await this.#block<{ transactions: string[] }>(at, false)
      for (const hash of block.transactions) {
        const sent = this.#sent.get(hash)
        if (sent === undefined) continue
        if (lost.has(sent.payer) || !random.chance(KEEP_CHANCE)) lost.add(sent.payer)
        else kept.push([sent.raw, offset])
      }
      if (random.chance(0.5)) offset = Math.min(depth - 1, offset + 1)
    }
    await this.#anvil.reorg(depth, kept)
    // It would go on from the time of the new blocks, and fall further behind with each reorg.
    await this.#anvil.rpc('evm_setTime', [Date.now()])
    return depth
  }

  async #head(): Promise<{ height: number; hash: string }> {
    const found = await this.#anvil.rpc<{ number: string; hash: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ])
    return { height: Number(found.number), hash: found.hash }
  }

  #block<T>(height: number, full: boolean): Promise<T> {
    return this.#anvil.rpc<T>('eth_getBlockByNumber', [`0x${height.toString(16)}`, full])
  }

  async #movements(): Promise<Movement[]> {
    const { height } = await this.#head()
    const found: Movement[] = []
    for (let at = 1; at <= height; at += 1) {
      const { transactions } = await this.#block<{ transactions: EvmTransaction[] }>(at, true)
      if (transactions.length === 0) continue
      const receipts = await this.#anvil.rpc<EvmReceipt[]>('eth_getBlockReceipts', [
        `0x${at.toString(16)}`,
      ])
      const succeeded = new Set<string>()
      for (const { status, transactionHash, logs } of receipts) {
        if (status !== '0x1') continue
        succeeded.add(transactionHash)
        found.push(...logs.flatMap((log) => this.#logged(transactionHash, log)))
      }
      for (const { hash, from, to, value } of transactions) {
        if (!succeeded.has(hash) || to === null || BigInt(value) === 0n) continue
        found.push({ txnHash: hash, from, to, tag: null, tokenId: COIN, amount: BigInt(value) })
      }
    }
    return found
  }

  #logged(txnHash: string, { address, topics, data }: EvmLog): Movement[] {
    const [kind, from = '', to = ''] = topics
    if (kind !== TRANSFER || address.toLowerCase() !== this.#contract.toLowerCase()) return []
    const amount = decodeUint(data)
    const tail = (topic: string) => `0x${topic.slice(-40)}`
    return [{ txnHash, from: tail(from), to: tail(to), tag: null, tokenId: this.#token, amount }]
  }
}

interface EvmTransaction {
  hash: string
  from: string
  to: string | null
  value: string
}

interface EvmLog {
  address: string
  topics: string[]
  data: Hex
}

interface EvmReceipt {
  status: string
  transactionHash: string
  logs: EvmLog[]
}

function mint(to: string, amount: bigint): string {
  return encodeCall('mint(address,uint256)', [to, amount])
}

function keyOf(text: string): Hex {
  return `0x${Buffer.from(text).toString('hex').padStart(64, '1').slice(-64)}`
}
