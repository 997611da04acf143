import type { TronTransaction } from './transaction.ts'

/** State of an address at the end of a block. */
export interface Account {
  /** sun */
  balance: bigint
  createdAt: number
  /** Of the free bandwidth: bytes used, and when. */
  freeUsed: number
  freeUsedAt: number
  /** sun staked for energy, and lent to others. */
  stakedForEnergy: bigint
  lent: bigint
  /** sun of energy lent to this address. */
  borrowed: bigint
  energyUsed: bigint
  energyUsedAt: number
}

/** The state at the end of a block. An address that is missing was never activated. */
export interface State {
  accounts: Map<string, Account>
  /** Tokens, by contract and holder. */
  tokens: Map<string, bigint>
  /** Stake that is lent for energy, in sun, by lender and borrower. */
  delegations: Map<string, bigint>
}

/**
 * Behaviour of a token: `quiet` returns false instead of failing; `lying` logs a move without
 * moving; `mute` moves and returns nothing; `denying` moves and returns false; `skimming` moves,
 * and logs, 1 % less than requested.
 */
export type TokenManner = 'honest' | 'quiet' | 'lying' | 'mute' | 'denying' | 'skimming'

/** A simulated contract. */
export type Contract =
  | {
      kind: 'token'
      name: string
      symbol: string
      decimals: number
      /** Every transfer fails. */
      isPaused: boolean
      manner: TokenManner
      owner: string
    }
  /** Does what was written down for each of its transactions. */
  | { kind: 'scripted' }

export interface TronLog {
  /** 20 bytes in hex. */
  address: string
  topics: readonly string[]
  data: string
}

export interface InternalMove {
  from: string
  to: string
  amount: bigint
  rejected?: boolean
  note?: string
}

/** Effects of a call of a scripted contract. */
export interface Script {
  /** SUCCESS unless it fails. */
  result?: string
  logs?: readonly TronLog[]
  internals?: readonly InternalMove[]
}

/** Result of a simulated call. */
export interface CallRun {
  result: string
  energy: bigint
  answer: string
  logs: readonly TronLog[]
  internals: readonly InternalMove[]
  apply: () => void
}

/** Result of a transaction in a block. */
export interface Executed {
  transaction: TronTransaction
  contractRet: string
  info: Record<string, unknown>
}

export const TOKEN_SUPPLY = 10n ** 30n

/** An empty state. */
export function newState(): State {
  return { accounts: new Map(), tokens: new Map(), delegations: new Map() }
}

/** A state that can be changed without changing this one. */
export function copyState({ accounts, tokens, delegations }: State): State {
  return {
    accounts: new Map([...accounts].map(([address, account]) => [address, { ...account }])),
    tokens: new Map(tokens),
    delegations: new Map(delegations),
  }
}

/** Adds to what an address has; its first coins activate it. */
export function give(state: State, address: string, amount: bigint, time: number): void {
  const account = state.accounts.get(address) ?? newAccount(time)
  account.balance += amount
  if (account.balance < 0n) throw new Error(`${address} would have ${account.balance}`)
  state.accounts.set(address, account)
}

/** Tokens of a holder. */
export function tokensOf(state: State, contract: string, holder: string): bigint {
  return state.tokens.get(`${contract}/${holder}`) ?? 0n
}

/** Moves tokens; false if the holder has too few. */
export function moveTokens(
  state: State,
  { contract, from, to, amount }: { contract: string; from: string; to: string; amount: bigint },
): boolean {
  const held = tokensOf(state, contract, from)
  if (held < amount) return false
  state.tokens.set(`${contract}/${from}`, held - amount)
  state.tokens.set(`${contract}/${to}`, tokensOf(state, contract, to) + amount)
  return true
}

function newAccount(time: number): Account {
  return {
    balance: 0n,
    createdAt: time,
    freeUsed: 0,
    freeUsedAt: 0,
    stakedForEnergy: 0n,
    lent: 0n,
    borrowed: 0n,
    energyUsed: 0n,
    energyUsedAt: 0,
  }
}
