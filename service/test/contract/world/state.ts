import { devWallet, type Wallet, walletOf } from '@sluice/simulator'
import type { DatabaseUrls } from '../../../src/store/database.ts'
import type { Person } from './sign-in.ts'

export const CHAIN = 'eip155:11155111'
/** The chain whose payments may have to say for whom they are. */
export const TAG_CHAIN = 'xrpl:testnet'
/** Chains without new blocks. */
export const TRON_CHAIN = 'tron:shasta'
export const BITCOIN_CHAIN = 'bip122:000000000933ea01ad0ee984209779ba'
/** Test files that receive webhooks, each on a separate port. */
export const WEBHOOK_PORTS = ['flow', 'hooks', 'hostile', 'python', 'office'] as const

/** An organization and its people, as an operator handed them over. */
export interface Tenant {
  id: string
  name: string
  apiKey: string
  people: readonly Person[]
}

/** Data that an external client needs of the started product. */
export interface ContractWorld {
  baseUrl: string
  /** The configuration file, for a second process beside the first one. */
  config: string
  nodeUrl: string
  /** The owner's connection, with which rows are counted, and those of the service. */
  databaseUrls: DatabaseUrls
  webhookPorts: readonly number[]
  /** Token ids: the native one, an ordinary one, one with limits, one to be switched off. */
  tokens: { coin: string; usd: string; limited: string; off: string }
  /** An account of the chain of tags that takes no payment without one. */
  tagged: string
  /** A node of the chain of tags. */
  ledgersUrl: string
  /** The node of the Bitcoin chain, which mines on request. */
  bitcoinUrl: string
  /** A contract of the TRON chain that is not a listed token. */
  tronContract: string
  tenants: Readonly<Record<string, Tenant>>
}

/** The wallets that anvil opens with money. */
export const ANVIL_PAYERS = 10

/** The wallet of a payer: one of anvil's, or of a key of the payer's number. */
export function payerWallet(number: number): Wallet {
  if (number < ANVIL_PAYERS) return devWallet(number)
  return walletOf(`0x${number.toString(16).padStart(64, '0')}`)
}
