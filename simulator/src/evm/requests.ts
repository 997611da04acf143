export interface EvmChainOptions {
  chainId: number
  seed: number | string
  /** Seconds between the timestamps of blocks, 12 by default. The chain mines only on request. */
  blockTimeSeconds?: number
}

/** How a transaction is sent. */
export interface SendOptions {
  /**
   * Without it a fresh stranger sends. Strangers have endless coins, and so has any address whose
   * first appearance on the chain is as a sender; any other spends what it holds.
   */
  from?: string
  nonce?: number
  /** 2 by default */
  type?: number
  /** A legacy transaction without replay protection: the same hash on each chain. */
  isUnprotected?: boolean
}

export interface Payment extends SendOptions {
  to: string
  /** Base units */
  amount: bigint
}

export interface TokenPayment extends Payment {
  token: string
}

export interface Token {
  symbol: string
  name: string
  decimals: number
}

export interface BurnRequest {
  token: string
  address: string
  amount: bigint
  event?: boolean
}

/** Behaviour of a contract: uses additional gas, and fails or succeeds. */
export interface Code {
  gas: bigint
  reverts: boolean
}
