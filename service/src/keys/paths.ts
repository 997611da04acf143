import type { Namespace } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/**
 * How an output of Bitcoin names the key that opens it: by its hash (P2WPKH, BIP-141), or the key
 * itself, tweaked (P2TR, BIP-341).
 */
export type AddressType = 'p2wpkh' | 'p2tr'

/** One of our wallets on one family of chains: the account level of BIP-44. */
export interface AccountPath {
  namespace: Namespace
  isTestnet: boolean
  /** The number of a row in `wallets`, unique in the installation; 0 to 2^31 - 1. */
  wallet: number
  /** Bitcoin alone: which of its two trees of keys is meant. Left out: P2WPKH. */
  addressType?: AddressType
}

/** One key of a wallet. */
export interface DerivationPath extends AccountPath {
  /** 0 receives, 1 takes change. */
  branch: 0 | 1
  /** 0 to 2^31 - 1. */
  index: number
}

/**
 * Numbers from here on are hardened (BIP-32); one of ours that got here would silently be another
 * key.
 */
export const HARDENED = 2 ** 31

/**
 * By family: the purpose (BIP-44, BIP-84) and the coin of the mainnet (SLIP-44). Never change one:
 * K05.
 */
const FAMILIES = {
  eip155: { purpose: 44, coin: 60 },
  bip122: { purpose: 84, coin: 0 },
  tron: { purpose: 44, coin: 195 },
  xrpl: { purpose: 44, coin: 144 },
} as const satisfies Record<Namespace, { purpose: number; coin: number }>

/** BIP-86: keys that open P2TR outputs, and nothing else. */
const TAPROOT_PURPOSE = 86

/** Whether a family has the second tree of keys, that of P2TR. */
export function hasTaproot({ namespace }: Pick<AccountPath, 'namespace'>): boolean {
  return namespace === 'bip122'
}

/** SLIP-44: every testnet of every coin. */
const TESTNET_COIN = 1

/**
 * `m/<purpose>'/<coin>'/<wallet>'/<branch>/<index>` (engineering, 18). Throws a Bug on a number out
 * of range.
 */
export function pathOf(at: DerivationPath): string {
  return textOf(stepsOf(at))
}

/**
 * `m/<purpose>'/<coin>'/<wallet>'`, where the xpub of a wallet stands. Throws a Bug on a number out
 * of range.
 */
export function accountPathOf(at: AccountPath): string {
  return textOf(accountStepsOf(at))
}

/** The path as the numbers that BIP-32 derives by, hardened ones with 2^31 added. */
export function stepsOf(at: DerivationPath): number[] {
  return [...branchStepsOf(at), checkIndex(at.index)]
}

/** The path down to the branch, without the index. */
export function branchStepsOf(at: AccountPath & { branch: 0 | 1 }): number[] {
  const branch: number = at.branch
  assert(branch === 0 || branch === 1, 'a branch is 0 or 1', { branch })
  return [...accountStepsOf(at), branch]
}

/** The path down to the wallet. */
export function accountStepsOf(at: AccountPath): number[] {
  const { coin } = FAMILIES[at.namespace]
  const numbers = [purposeOf(at), at.isTestnet ? TESTNET_COIN : coin, checkIndex(at.wallet)]
  return numbers.map((number) => number + HARDENED)
}

/** Whether the key of a path opens P2TR outputs: then it signs by BIP-340, and never by ECDSA. */
export function isTaproot({ addressType }: Pick<AccountPath, 'addressType'>): boolean {
  return addressType === 'p2tr'
}

/**
 * Gives a wallet's or address's number back. Throws a Bug on what is no whole number from 0 to 2^31
 * - 1.
 */
export function checkIndex(index: number): number {
  const fits = Number.isInteger(index) && index >= 0 && index < HARDENED
  assert(fits, 'a derivation index out of range', { index })
  return index
}

function purposeOf({ namespace, addressType }: AccountPath): number {
  if (addressType === undefined) return FAMILIES[namespace].purpose
  const isKnown = ['p2wpkh', 'p2tr'].includes(addressType) && namespace === 'bip122'
  assert(isKnown, 'a tree of keys that there is not', { namespace, addressType })
  return isTaproot({ addressType }) ? TAPROOT_PURPOSE : FAMILIES[namespace].purpose
}

function textOf(steps: readonly number[]): string {
  const parts = steps.map((step) => (step < HARDENED ? `${step}` : `${step - HARDENED}'`))
  return ['m', ...parts].join('/')
}
