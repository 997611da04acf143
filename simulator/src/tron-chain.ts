import { sha256 } from '@noble/hashes/sha2.js'
import { fromHex, word } from './hex.ts'
import { blockJson, makeBlock, type TronBlock } from './tron/block.ts'
import { base58Of, hex41Of } from './tron/base58.ts'
import { bandwidthOf, execute, faultOf, type Ground } from './tron/execute.ts'
import { DEFAULT_PARAMS, type TronParams } from './tron/params.ts'
import { isValid, PendingState } from './tron/pending.ts'
import { refersTo } from './tron/refers-to.ts'
import { delegatedOf } from './tron/stake.ts'
import { type SavedBlock, saveBlock } from './tron/saved-block.ts'
import { type Contract, copyState, give, newState, type Script, type State } from './tron/state.ts'
import { TRANSFER_TOPIC } from './tron/token.ts'
import {
  type ContractType,
  hexIn,
  rawOf,
  readRaw,
  readTransaction,
  type TronTransaction,
} from './tron/transaction.ts'
import { signerOf, signTron, type TronWallet, tronWallet } from './tron/wallet.ts'

export interface TronChainOptions {
  /** Id of the first block, which identifies the network; by default the test network's. */
  genesisId?: string
  /** Milliseconds; time of the first block. */
  startTime?: number
  /** Blocks that must stand on one before it is solid. */
  solidLag?: number
  /** Whether nodes write down what contracts pay (`vm.saveInternalTx`). */
  keepsInternal?: boolean
}

/** Result of a broadcast: the node's code and message. */
export interface Taken {
  code: string
  message: string
}

export interface TronPayment {
  /** T… */
  to: string
  amount: bigint
}

/** The id of Shasta's first block. */
export const SHASTA_GENESIS = '0000000000000000de1aa88295e1fcf982742f773e0419c5a9c134c994a9059e'
const SLOT_MS = 3_000
const EXPIRATION_MS = 60_000
const EXPIRATION_MAX_MS = 86_400_000
const SOLID_LAG = 18
const FAUCET_COINS = 99n * 10n ** 15n
/** States kept below the head; older ones are not read. */
const STATES_KEPT = 300
const FEE_LIMIT = 1_000_000_000n
const TAKEN: Taken = { code: 'SUCCESS', message: '' }

/**
 * A TRON chain in memory, written from the protocol's documents: blocks, balances, activation,
 * bandwidth and energy, tokens, contracts and solid blocks. It makes blocks only on request.
 */
export class TronChain {
  readonly params: TronParams = { ...DEFAULT_PARAMS }
  readonly contracts = new Map<string, Contract>()
  readonly scripts = new Map<string, Script>()
  readonly pool = new Map<string, TronTransaction>()
  /** Everything that was ever taken, by id: nodes take nothing twice. */
  readonly known = new Set<string>()
  readonly faucet: TronWallet = tronWallet('faucet')
  /** Whether a transaction of the pool goes into the next block. */
  lets: (id: string) => boolean = () => true
  solidLag: number
  keepsInternal: boolean
  /** Changes of the head's state and of contracts that no transaction made. */
  changes = 0
  #blocks: TronBlock[] = []
  #made = 0
  #fork = 0
  readonly #pending = new PendingState()
  readonly #witnesses = new Map<number, string>()

  constructor(options: TronChainOptions = {}) {
    this.solidLag = options.solidLag ?? SOLID_LAG
    this.keepsInternal = options.keepsInternal ?? true
    const state = newState()
    const time = options.startTime ?? Date.UTC(2026, 0, 1)
    give(state, this.faucet.hex, FAUCET_COINS, time)
    const parentId = '0'.repeat(64)
    const witness = this.#witness()
    const made = { height: 0, parentId, time, witness, fork: 0 }
    const first = makeBlock({ ...made, executed: [], state })
    this.#blocks = [{ ...first, id: options.genesisId ?? SHASTA_GENESIS }]
  }

  head(): TronBlock {
    const head = this.#blocks.at(-1)
    if (head === undefined) throw new Error('a chain without blocks')
    return head
  }

  /** The highest block that no fork can replace. */
  solid(): TronBlock {
    return this.at(Math.max(0, this.head().height - this.solidLag)) ?? this.head()
  }

  at(height: number): TronBlock | null {
    return this.#blocks[height] ?? null
  }

  /** All blocks but the first, as `replay` takes them. */
  saved(): SavedBlock[] {
    return this.#blocks.slice(1).map(saveBlock)
  }

  /** Makes the same blocks again, on a chain of the same beginning and the same contracts. */
  replay(blocks: readonly SavedBlock[]): void {
    for (const { time, fork, transactions, endowed = {} } of blocks) {
      for (const hex of transactions) {
        const transaction = readTransaction(fromHex(hex))
        this.known.add(transaction.id)
        this.pool.set(transaction.id, transaction)
      }
      this.#fork = fork
      this.#mineOne(time)
      for (const [address, balance] of Object.entries(endowed)) this.endow(address, BigInt(balance))
    }
  }

  /** Block of a transaction; null if it is in no block. */
  blockOf(id: string): TronBlock | null {
    return (
      this.#blocks.find(({ executed }) => executed.some((one) => one.transaction.id === id)) ?? null
    )
  }

  balance(address: string): bigint {
    return this.#state().accounts.get(hex41Of(address))?.balance ?? 0n
  }

  tokens(contract: string, holder: string): bigint {
    return this.#state().tokens.get(`${hex41Of(contract)}/${hex41Of(holder)}`) ?? 0n
  }

  /** The state at the head with the pool executed on top: what `/wallet` reads in java-tron. */
  pending(): State {
    return this.#pending.read(this.#state(), this)
  }

  /** Context of the next block's transactions. */
  ground(): Ground {
    const { height, time } = this.head()
    const { params, contracts, scripts, keepsInternal } = this
    return { params, contracts, scripts, keepsInternal, height: height + 1, time: time + SLOT_MS }
  }

  /** Makes blocks, of which the first holds what was broadcast. */
  mine(count = 1, time: number | null = null): void {
    for (let made = 0; made < count; made += 1) this.#mineOne(time)
  }

  /**
   * Replaces the highest blocks by as many others, with nothing in them but what `keep` names: the
   * height that a transaction of theirs is in from now on.
   */
  reorg({ depth, keep = new Map() }: { depth: number; keep?: Map<string, number> }): void {
    this.rewind(depth)
    this.#fork += 1
    for (let made = 0; made < depth; made += 1) {
      const height = this.head().height + 1
      const lets = this.lets
      this.lets = (id) => keep.get(id) === height
      this.#mineOne(null)
      this.lets = lets
    }
    for (const id of this.pool.keys()) if (!keep.has(id)) this.pool.delete(id)
  }

  /** Removes the highest blocks; their transactions return to the pool. */
  rewind(depth: number): void {
    if (depth >= this.#blocks.length) throw new Error('there are not so many blocks')
    const gone = this.#blocks.splice(this.#blocks.length - depth)
    for (const { executed } of gone)
      for (const { transaction } of executed) this.pool.set(transaction.id, transaction)
  }

  /** Takes signed bytes, or says why not, as a node does. */
  take(transaction: TronTransaction): Taken {
    const head = this.head()
    const owner = String(transaction.value['owner_address'] ?? '')
    const [signature = new Uint8Array()] = transaction.signatures
    const signer = signerOf(sha256(transaction.raw), signature)
    if (this.known.has(transaction.id)) return refused('DUP_TRANSACTION_ERROR', 'Dup transaction.')
    if (signer !== owner) {
      const who = signer === null ? 'nobody' : base58Of(signer)
      const said = `${hexIn(signature)} is signed by ${who} but it is not contained of permission.`
      return refused('SIGERROR', `Validate signature error: ${said}`)
    }
    if (!refersTo(this, transaction)) return refused('TAPOS_ERROR', 'Tapos check error.')
    const { expiration } = transaction
    if (expiration <= head.time || expiration > head.time + EXPIRATION_MAX_MS)
      return refused('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired')
    // As java-tron does, judged after what waits already.
    const state = this.pending()
    const fault = faultOf(state, this.ground(), transaction)
    if (fault !== null) {
      const said = fault.replace(owner, owner === '' ? '' : base58Of(owner))
      return refused('CONTRACT_VALIDATE_ERROR', `Contract validate error : ${said}`)
    }
    if (bandwidthOf(state, this.ground(), transaction) === null)
      return refused('BANDWITH_ERROR', 'Account resource insufficient error.')
    this.known.add(transaction.id)
    this.pool.set(transaction.id, transaction)
    return TAKEN
  }

  /** Builds, signs and broadcasts; returns the id. Throws if the chain refuses it. */
  send(
    from: TronWallet,
    type: ContractType,
    value: TronTransaction['value'],
    { memo = '', feeLimit = FEE_LIMIT }: { memo?: string; feeLimit?: bigint } = {},
  ): string {
    const head = this.head()
    this.#made += 1
    const raw = rawOf({
      refBlockBytes: head.height.toString(16).padStart(16, '0').slice(12),
      refBlockHash: head.id.slice(16, 32),
      expiration: head.time + EXPIRATION_MS,
      // Otherwise equal payments must be two transactions.
      timestamp: head.time + this.#made,
      feeLimit: type === 'TriggerSmartContract' ? feeLimit : 0n,
      data: Buffer.from(memo, 'utf8').toString('hex'),
      type,
      value: { owner_address: from.hex, ...value },
    })
    const transaction = readRaw(raw, [signTron(from.key, sha256(raw))])
    const { code, message } = this.take(transaction)
    if (code !== 'SUCCESS') throw new Error(`${code}: ${message}`)
    return transaction.id
  }

  /** Pays coins from the faucet; they arrive with the next block. */
  pay({ to, amount }: TronPayment, from = this.faucet): string {
    return this.send(from, 'TransferContract', { to_address: hex41Of(to), amount })
  }

  /** Pays a token. */
  payToken({ to, amount, token }: TronPayment & { token: string }, from = this.faucet): string {
    const data = `a9059cbb${word(hex41Of(to).slice(2))}${word(amount)}`
    return this.send(from, 'TriggerSmartContract', { contract_address: hex41Of(token), data })
  }

  /** Has a contract pay coins. */
  payInternal({ to, amount }: TronPayment): string {
    return this.runScript((self) => ({ internals: [{ from: self, to: hex41Of(to), amount }] }))
  }

  /** A contract that would pay coins, and fails. */
  failed({ to, amount }: TronPayment): string {
    return this.runScript((self) => ({
      result: 'REVERT',
      internals: [{ from: self, to: hex41Of(to), amount, rejected: true }],
    }))
  }

  /** A TRC-10 asset of any name, without a contract. */
  payAsset({ to, amount, name }: TronPayment & { name: string }): string {
    const asset_name = Buffer.from(name, 'utf8').toString('hex')
    return this.send(this.faucet, 'TransferAssetContract', {
      asset_name,
      to_address: hex41Of(to),
      amount,
    })
  }

  /** Calls a contract that follows the script, which receives the contract's address. */
  runScript(script: (self: string) => Script, data = ''): string {
    const contract = tronWallet('scripted contract').hex
    this.contracts.set(contract, { kind: 'scripted' })
    const id = this.send(this.faucet, 'TriggerSmartContract', { contract_address: contract, data })
    this.scripts.set(id, script(contract))
    return id
  }

  /** A Transfer as a token of this contract announces it. */
  transferLog(transfer: { token: string; from: string; to: string; amount: bigint }) {
    const [from, to] = [transfer.from, transfer.to].map((one) => word(hex41Of(one).slice(2)))
    return {
      address: hex41Of(transfer.token).slice(2),
      topics: [TRANSFER_TOPIC, from ?? '', to ?? ''],
      data: word(transfer.amount),
    }
  }

  /** Makes a token, all of which the faucet has; answers its address. */
  deployToken(token: { name: string; symbol: string; decimals: number; address?: string }): string {
    const address = token.address ?? tronWallet(`token ${this.contracts.size}`).address
    const manner = 'honest' as const
    const owner = this.faucet.hex
    const { name, symbol, decimals } = token
    this.contracts.set(hex41Of(address), {
      kind: 'token',
      name,
      symbol,
      decimals,
      manner,
      owner,
      isPaused: false,
    })
    return address
  }

  /** Changes how a token behaves from now on. */
  setToken(
    address: string,
    change: Partial<Pick<Extract<Contract, { kind: 'token' }>, 'isPaused' | 'manner'>>,
  ): void {
    const token = this.contracts.get(hex41Of(address))
    if (token?.kind !== 'token') throw new Error(`no token: ${address}`)
    Object.assign(token, change)
    this.changes += 1
  }

  /** Sets a balance at the head, without a transaction. */
  endow(address: string, balance: bigint): void {
    const state = this.#state()
    const hex = hex41Of(address)
    const head = this.head()
    give(state, hex, balance - (state.accounts.get(hex)?.balance ?? 0n), head.time)
    this.changes += 1
    head.endowed = { ...head.endowed, [address]: balance.toString() }
  }

  /** Removes tokens of a holder at the head without a transaction; a negative amount adds. */
  burnTokens(burn: { token: string; holder: string; amount: bigint }): void {
    const key = `${hex41Of(burn.token)}/${hex41Of(burn.holder)}`
    const { tokens } = this.#state()
    tokens.set(key, (tokens.get(key) ?? 0n) - burn.amount)
    this.changes += 1
  }

  /** Lets an address have so much staked for energy at the head, in sun. */
  stake(address: string, stake: bigint): void {
    const state = this.#state()
    const hex = hex41Of(address)
    give(state, hex, 0n, this.head().time)
    const account = state.accounts.get(hex)
    if (account !== undefined) account.stakedForEnergy = stake
    this.changes += 1
  }

  /** Stake for energy that one address has delegated to another, in sun. */
  delegated(lender: string, borrower: string): bigint {
    return delegatedOf(this.#state(), hex41Of(lender), hex41Of(borrower))
  }

  #state(): State {
    const { state } = this.head()
    if (state === null) throw new Error('a head without a state')
    return state
  }

  #mineOne(time: number | null): void {
    const parent = this.head()
    const height = parent.height + 1
    const ground = { ...this.ground(), time: Math.max(parent.time + SLOT_MS, time ?? 0) }
    const state = copyState(this.#state())
    const executed: TronBlock['executed'][number][] = []
    for (const transaction of this.pool.values()) {
      if (!this.lets(transaction.id)) continue
      if (isValid(state, ground, { transaction, after: parent.time }))
        executed.push(execute(state, ground, transaction))
      this.pool.delete(transaction.id)
    }
    const { time: at } = ground
    const maker = { witness: this.#witness(), fork: this.#fork }
    const made = { height, parentId: parent.id, time: at, ...maker }
    this.#blocks.push(makeBlock({ ...made, executed, state }))
    const old = this.#blocks[height - STATES_KEPT]
    if (old !== undefined && old.height > 0) old.state = null
  }

  /** Forks of one height have the same time and another maker; a key is derived once for each. */
  #witness(): string {
    const known = this.#witnesses.get(this.#fork)
    const witness = known ?? tronWallet(`witness ${this.#fork}`).hex
    this.#witnesses.set(this.#fork, witness)
    return witness
  }
}

/** The blocks of a chain as a node writes them. */
export { blockJson }

function refused(code: string, message: string): Taken {
  return { code, message }
}
