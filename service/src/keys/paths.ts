import type { Namespace } from '@sluice/wire'
import { assert } from '../base/assert.ts'

/** Bitcoin's address types: key hash (P2WPKH, BIP-141) or tweaked key (P2TR, BIP-341). */
export type AddressType = 'p2wpkh' | 'p2tr'

/** A wallet on a family of chains: the account level of BIP-44. */
export interface AccountPath {
  namespace: Namespace
  isTestnet: boolean
  /** The number of a row in `wallets`, unique in the installation; 0 to 2^31 - 1. */
  wallet: number
  /** Bitcoin only; P2WPKH by default. */
  addressType?: AddressType
}

export interface DerivationPath extends AccountPath {
  /** 0 receives, 1 takes change. */
  branch: 0 | 1
  /** 0 to 2^31 - 1. */
  index: number
}

/** Indexes from here on are hardened (BIP-32). */
export const HARDENED = 2 ** 31

/** Purpose (BIP-44, BIP-84) and mainnet coin (SLIP-44) by family. Never change one (K05). */
const FAMILIES = {
  eip155: { purpose: 44, coin: 60 },
  bip122: { purpose: 84, coin: 0 },
  tron: { purpose: 44, coin: 195 },
  xrpl: { purpose: 44, coin: 144 },
} as const satisfies Record<Namespace, { purpose: number; coin: number }>

/** BIP-86: keys of P2TR outputs only. */
const TAPROOT_PURPOSE = 86

/** Whether a family has P2TR keys as well. */
export function hasTaproot({ namespace }: Pick<AccountPath, 'namespace'>): boolean {
  return namespace === 'bip122'
}

/** SLIP-44: the testnets of all coins. */
const TESTNET_COIN = 1

/** `m/<purpose>'/<coin>'/<wallet>'/<branch>/<index>`. Throws a Bug for a number out of range. */
export function pathOf(at: DerivationPath): string {
  return textOf(stepsOf(at))
}

/**
 * `m/<purpose>'/<coin>'/<wallet>'`, the path of a wallet's xpub. Throws a Bug for a number out of
 * range.
 */
export function accountPathOf(at: AccountPath): string {
  return textOf(accountStepsOf(at))
}

/** The path as BIP-32 indexes, with 2^31 added to hardened ones. */
function stepsOf(at: DerivationPath): number[] {
  return [...branchStepsOf(at), checkIndex(at.index)]
}

/** The path to the branch, without the index. */
export function branchStepsOf(at: AccountPath & { branch: 0 | 1 }): number[] {
  const branch: number = at.branch
  assert(branch === 0 || branch === 1, 'a branch is 0 or 1', { branch })
  return [...accountStepsOf(at), branch]
}

/** The path to the wallet. */
export function accountStepsOf(at: AccountPath): number[] {
  const { coin } = FAMILIES[at.namespace]
  const numbers = [purposeOf(at), at.isTestnet ? TESTNET_COIN : coin, checkIndex(at.wallet)]
  return numbers.map((number) => number + HARDENED)
}

/** Whether a path is of P2TR: its key signs by BIP-340, never by ECDSA. */
export function isTaproot({ addressType }: Pick<AccountPath, 'addressType'>): boolean {
  return addressType === 'p2tr'
}

/** Returns an index. Throws a Bug unless it is an integer from 0 to 2^31 - 1. */
export function checkIndex(index: number): number {
  const fits = Number.isInteger(index) && index >= 0 && index < HARDENED
  assert(fits, 'a derivation index out of range', { index })
  return index
}

function purposeOf({ namespace, addressType }: AccountPath): number {
  if (addressType === undefined) return FAMILIES[namespace].purpose
  const isKnown = ['p2wpkh', 'p2tr'].includes(addressType) && namespace === 'bip122'
  assert(isKnown, 'an unknown address type', { namespace, addressType })
  return isTaproot({ addressType }) ? TAPROOT_PURPOSE : FAMILIES[namespace].purpose
}

function textOf(steps: readonly number[]): string {
  const parts = steps.map((step) => (step < HARDENED ? `${step}` : `${step - HARDENED}'`))
  return ['m', ...parts].join('/')
}
