import { createAddress } from './evm-wallet.ts'
import { assembleBlock } from './evm/assemble.ts'
import { type BlockNode, BlockTree } from './evm/block-tree.ts'
import { keyOf } from './evm/execute.ts'
import {
  BASE_FEE,
  inNonceOrder,
  type PendingTransaction,
  pendingTransaction,
} from './evm/pending.ts'
import {
  addressIn,
  type FramePlan,
  frame,
  type Step,
  transferFrame,
  transferLog,
} from './evm/plans.ts'
import { admit } from './evm/pool.ts'
import { placeTransactions, type ReorgRequest } from './evm/reorg.ts'
import type {
  BurnRequest,
  Code,
  EvmChainOptions,
  Payment,
  SendOptions,
  Token,
  TokenPayment,
} from './evm/requests.ts'
import type { LogJson } from './evm/shapes.ts'
import type { Hex } from './hex.ts'
import { type Seeded, seeded } from './seeded.ts'

const GENESIS_SECONDS = 1_700_000_000
const BLOCK_SECONDS = 12
const FINALIZED_DISTANCE = 64
const ENDOWMENT = 10n ** 30n
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'

/**
 * A simulated EVM chain: blocks, transactions and balances, all following from the seed and the
 * calls made. There is no EVM in it: each transaction is a plan of what it moves and which logs it
 * leaves. For these gas costs nothing, so that balances change by what moves and nothing else;
 * signed bytes pay for theirs (`submit`). Each sending method gives the hash; the transaction waits
 * until a block is mined.
 */
export class EvmChain {
  readonly chainId: number
  readonly tree: BlockTree
  readonly tokens = new Map<string, Token>()
  readonly codes = new Map<string, Code>()
  readonly #random: Seeded
  readonly #blockSeconds: number
  readonly #bottomless = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #nonces = new Map<string, number>()
  readonly #router: Hex
  readonly #rules = { logsNative: false }
  #pending: PendingTransaction[] = []
  #baseFee: bigint | null = BASE_FEE
  #silent: { key: string; by: bigint }[] = []
  #finalizedDistance: number | null = FINALIZED_DISTANCE
  #finalizedHeight: number | null = null

  constructor({ chainId, seed, blockTimeSeconds = BLOCK_SECONDS }: EvmChainOptions) {
    this.chainId = chainId
    this.#random = seeded(`${seed}/evm/${chainId}`)
    this.#blockSeconds = blockTimeSeconds
    this.#router = `0x${this.#random.hex(20)}`
    const initial = (key: string) => this.#initial(key)
    const { block } = assembleBlock({ ...this.#assembly(null), transactions: [], silent: [] })
    this.tree = new BlockTree(block, initial)
  }

  /** Transactions that no block has, in the order they were sent. */
  get pending(): readonly PendingTransaction[] {
    return this.#pending
  }

  /** wei for one gas, of the next blocks; null on a chain from before the fee market. */
  get baseFee(): bigint | null {
    return this.#baseFee
  }

  head(): { height: number; hash: Hex } {
    return this.tree.head
  }

  /** The block of that height on the chain, or of that hash on any branch; undefined if unknown. */
  blockAt(at: number | string): BlockNode | undefined {
    return typeof at === 'number' ? this.tree.at(at) : this.tree.find(at)
  }

  /**
   * Base units held after a block, by default the head; of the native coin unless a token is given.
   */
  balanceOf(address: string, token?: string, at?: number): bigint {
    const block = at === undefined ? this.tree.head : this.tree.at(at)
    if (block === undefined) throw new Error(`the chain has no block ${at}`)
    return this.tree.balance(keyOf(addressIn(address), token && addressIn(token)), block)
  }

  /** The chain's own coin, by the transaction itself. */
  pay({ to, amount, ...options }: Payment): Hex {
    return this.transact({ to, value: amount }, options)
  }

  /** A payment in a failed transaction: its value is shown but does not move. */
  failed({ to, amount, ...options }: Payment): Hex {
    return this.transact({ to, value: amount, fails: true }, options)
  }

  /** An ERC-20 transfer; `spender` sends it if given, `arrives` is less than the event says. */
  payToken(payment: TokenPayment & { arrives?: bigint; spender?: string }): Hex {
    const { to, amount, token, arrives, spender, from: owner, ...options } = payment
    const from = this.#sender(owner)
    const sender = spender === undefined ? from : this.#sender(spender)
    const transfer = { token: addressIn(token), from, to: this.#recipient(to), amount }
    const plan = transferFrame(
      { ...transfer, ...(arrives === undefined ? {} : { arrives }) },
      sender,
    )
    return this.#submit(plan, options)
  }

  /**
   * The chain's own coin from a contract, seen in traces alone. `selfdestruct`: from a constructor
   * that destroys itself. `fails`: the inner frame pays and reverts, the transaction succeeds.
   */
  payInternal(payment: Payment & { via?: 'call' | 'selfdestruct'; fails?: boolean }): Hex {
    const { to, amount, via = 'call', fails = false, from: payer, ...options } = payment
    const from = this.#sender(payer)
    const nonce = options.nonce ?? this.#nonces.get(from) ?? 0
    const isCall = via === 'call'
    const middle = isCall ? this.#router : addressIn(createAddress(from, nonce))
    const inner = frame({
      type: isCall ? 'CALL' : 'SELFDESTRUCT',
      from: middle,
      to: this.#recipient(to),
      value: amount,
      fails,
    })
    const type = isCall ? 'CALL' : 'CREATE'
    const steps: Step[] = [{ do: 'call', frame: inner }]
    return this.#submit(frame({ type, from, to: middle, value: amount, steps }), options)
  }

  /**
   * Many payments in one transaction, in their order: tokens by logs, the own coin by inner calls.
   */
  batch(
    payments: readonly { to: string; amount: bigint; token?: string }[],
    options: SendOptions = {},
  ): Hex {
    const from = this.#sender(options.from)
    const steps = payments.map(({ to: text, amount, token }): Step => {
      const to = this.#recipient(text)
      if (token === undefined) {
        return { do: 'call', frame: frame({ from: this.#router, to, value: amount }) }
      }
      const transfer = { token: addressIn(token), from, to, amount }
      return { do: 'call', frame: transferFrame(transfer, this.#router) }
    })
    const own = payments.filter(({ token }) => token === undefined)
    const value = own.reduce((sum, { amount }) => sum + amount, 0n)
    return this.#submit(frame({ from, to: this.#router, value, steps }), options)
  }

  /** New coins of a token, with its event from the zero address. */
  mint({ token, to, amount }: { token: string; to: string; amount: bigint }): Hex {
    const address = this.#recipient(to)
    return this.transact({
      to: token,
      steps: [
        { do: 'shift', token: addressIn(token), address, by: amount },
        { do: 'log', log: transferLog(addressIn(token), ZERO_ADDRESS, address, amount) },
      ],
    })
  }

  /** Removes coins of a token, without an event by default. */
  burn({ token, address, amount, event = false }: BurnRequest): Hex {
    const [contract, from] = [addressIn(token), addressIn(address)]
    const log: Step = { do: 'log', log: transferLog(contract, from, ZERO_ADDRESS, amount) }
    const shift: Step = { do: 'shift', token: contract, address: from, by: -amount }
    return this.transact({ to: token, steps: event ? [shift, log] : [shift] })
  }

  /** A Transfer event that nothing moves for. */
  lie({ token, to, amount, from }: TokenPayment): Hex {
    const sender = from === undefined ? ZERO_ADDRESS : addressIn(from)
    return this.emit([transferLog(addressIn(token), sender, addressIn(to), amount)])
  }

  /** Any logs, in one transaction that moves nothing. */
  emit(logs: readonly LogJson[]): Hex {
    const steps = logs.map((log): Step => ({ do: 'log', log }))
    return this.transact({ to: logs[0]?.address ?? this.#router, steps })
  }

  /** Any transaction, by the plan of its top frame. */
  transact(
    top: Omit<Partial<FramePlan>, 'to' | 'from'> & { to: string },
    options: SendOptions = {},
  ): Hex {
    const from = this.#sender(options.from)
    return this.#submit(frame({ ...top, from, to: this.#recipient(top.to) }), options)
  }

  /** Signed bytes, as in eth_sendRawTransaction; throws the same RpcFault. */
  submit(raw: string): Hex {
    const { transaction, replaces } = admit(this, raw)
    const { json, hash, plan } = transaction
    const known = this.#nonces.get(this.#recipient(json.from)) ?? 0
    this.#nonces.set(json.from, Math.max(plan.nonce + 1, known))
    if (replaces !== null) this.drop(replaces)
    this.#recipient(plan.top.to)
    this.#pending.push(transaction)
    return hash
  }

  /** The pool forgets a transaction that waits. */
  drop(hash: string): void {
    this.#pending = this.#pending.filter((one) => one.hash !== hash)
  }

  /** Puts a contract at an address that does nothing but take gas, and fail if it should. */
  setCode(address: string, code: Code): void {
    this.codes.set(this.#recipient(address), code)
  }

  /** Base fee from the next block on; null: as on a chain before the fee market. */
  setBaseFee(wei: bigint | null): void {
    this.#baseFee = wei
  }

  /** A token that is there from the first block on; at the address, or a fresh one. */
  deployToken({ address, ...token }: Token & { address?: string }): Hex {
    const contract: Hex = address === undefined ? `0x${this.#random.hex(20)}` : addressIn(address)
    this.tokens.set(contract, token)
    return contract
  }

  /**
   * Changes a balance with the next block, without any transaction, as rewards and withdrawals do.
   */
  setBalance({ address, by, token }: { address: string; by: bigint; token?: string }): void {
    const key = keyOf(this.#recipient(address), token === undefined ? null : addressIn(token))
    this.#silent.push({ key, by })
  }

  /** From now on each movement of the own coin leaves a log as well, as EIP-7708 has it. */
  logNativeTransfers(on: boolean): void {
    this.#rules.logsNative = on
  }

  /** Mines n blocks: the first takes all that waits, the others are empty. */
  mine(n = 1): void {
    for (let mined = 0; mined < n; mined += 1) {
      const waiting = inNonceOrder(this.#pending)
      this.#pending = []
      this.#extend(waiting)
    }
  }

  /**
   * Replaces the top blocks. Keeps the height unless `extra` adds blocks. `keep` decides which
   * orphaned transactions return; the ones that cannot be included are pending again.
   */
  reorg({ depth, keep = 'same', extra = 0 }: ReorgRequest): void {
    const { height } = this.tree.head
    const orphaned = this.rollback(depth)
    const first = height - depth + 1
    const request = { keep, orphaned, pending: this.#pending, first, last: height + extra }
    const places = placeTransactions(request, this.#random)
    this.#pending = places.waiting
    for (const transactions of places.blocks) this.#extend(transactions)
  }

  /**
   * Removes the top blocks and their transactions; returns those blocks, lowest first.
   */
  rollback(depth: number): BlockNode[] {
    const fork = this.tree.at(this.tree.head.height - depth)
    if (fork === undefined) throw new Error(`the chain has no ${depth} blocks above its genesis`)
    return this.tree.setHead(fork)
  }

  /** Makes any block ever made the head again: the way back from a reorg. */
  setHead(hash: string): void {
    const block = this.tree.find(hash)
    if (block === undefined) throw new Error(`there is no block ${hash}`)
    this.tree.setHead(block)
  }

  /**
   * How far `finalized` lags behind the head, `safe` half as far; null: the node knows no such
   * blocks.
   */
  setFinalizedDistance(distance: number | null): void {
    this.#finalizedDistance = distance
    this.#finalizedHeight = null
  }

  /** Pins `finalized` and `safe` to a height. */
  finalize(height: number): void {
    this.#finalizedHeight = height
  }

  /** Null if unknown. */
  taggedHeight(tag: 'safe' | 'finalized'): number | null {
    if (this.#finalizedHeight !== null) return this.#finalizedHeight
    if (this.#finalizedDistance === null) return null
    const distance = tag === 'safe' ? this.#finalizedDistance >> 1 : this.#finalizedDistance
    return Math.max(0, this.tree.head.height - distance)
  }

  #submit(top: FramePlan, { nonce, type = 2, isUnprotected = false }: SendOptions): Hex {
    const next = nonce ?? this.#nonces.get(top.from) ?? 0
    this.#nonces.set(top.from, Math.max(next + 1, this.#nonces.get(top.from) ?? 0))
    const kind = isUnprotected ? 0 : type
    const plan = { type: kind, isUnprotected, nonce: next, top }
    const transaction = pendingTransaction(plan, this.chainId)
    this.#pending.push(transaction)
    return transaction.hash
  }

  #extend(transactions: readonly PendingTransaction[]): void {
    const fresh: PendingTransaction[] = []
    const taken = new Set<string>()
    for (const transaction of transactions) {
      const { from, nonce } = transaction.json
      const isFirst = !taken.has(`${from}:${nonce}`) && !this.tree.isSpent(transaction)
      taken.add(`${from}:${nonce}`)
      if (isFirst) fresh.push(transaction)
    }
    const silent = this.#silent
    this.#silent = []
    const assembly = { ...this.#assembly(this.tree.head), transactions: fresh, silent }
    const { block, left } = assembleBlock(assembly)
    this.tree.append(block)
    this.#pending.push(...left)
  }

  #assembly(parent: BlockNode | null) {
    const height = parent === null ? 0 : parent.height + 1
    const hash: Hex = `0x${this.#random.hex(32)}`
    return {
      parent,
      timestamp: GENESIS_SECONDS + height * this.#blockSeconds,
      mixHash: hash,
      balance: (key: string) => (parent === null ? 0n : this.tree.balance(key)),
      nonceOf: (sender: string) => (parent === null ? 0 : this.tree.countOf(sender)),
      baseFee: this.#baseFee,
      rules: this.#rules,
    }
  }

  #sender(from: string | undefined): Hex {
    const address: Hex = from === undefined ? `0x${this.#random.hex(20)}` : addressIn(from)
    if (!this.#seen.has(address)) this.#bottomless.add(address)
    this.#seen.add(address)
    return address
  }

  #recipient(to: string): Hex {
    const address = addressIn(to)
    this.#seen.add(address)
    return address
  }

  #initial(key: string): bigint {
    return this.#bottomless.has(key.slice(key.indexOf('/') + 1)) ? ENDOWMENT : 0n
  }
}
