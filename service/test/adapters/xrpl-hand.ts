import { secp256k1 } from '@noble/curves/secp256k1.js'
import { createHash } from 'node:crypto'
import type { ChainAdapter } from '../../src/chains/chain-adapter.ts'
import type { Address, Intent, Reservation, Signed } from '../../src/chains/port.ts'
import {
  type FeeCaps,
  type LedgerTerms,
  termsFromJson,
  termsToJson,
} from '../../src/chains/spending.ts'
import { xrplAddressOf } from '../../src/chains/xrpl/address.ts'
import { signDigest } from '../../src/keys/sign-digest.ts'
import { holderOf, XRP, XRPL_CHAIN } from './xrpl-world.ts'

export const CAPS: FeeCaps = {
  absolute: 1_000_000n,
  gasLimit: 1n,
  tokenGasLimit: 1n,
  relativePercent: null,
}

/** An account whose key a test has. */
export interface Sender {
  address: Address
  key: Uint8Array
  publicKey: Uint8Array
}

export function senderOf(name: string): Sender {
  const key = new Uint8Array(createHash('sha256').update(name).digest())
  const publicKey = secp256k1.getPublicKey(key, true)
  return { key, publicKey, address: xrplAddressOf(publicKey) }
}

/** A payment of 2 XRP with the tag 5, but for what is changed. */
export function intentOf({ address: from }: Sender, change: Partial<Intent> = {}): Intent {
  const to = holderOf('a shop')
  return { chainId: XRPL_CHAIN, tokenId: XRP, from, to, amount: 2_000_000n, memo: '5', ...change }
}

/** Under terms as they come out of the database. */
export function signedBy(
  adapter: ChainAdapter,
  sender: Sender,
  payment: { intent: Intent; terms: LedgerTerms; reservation: Reservation },
): Signed {
  const { intent, terms, reservation } = payment
  const stored = termsFromJson(JSON.parse(JSON.stringify(termsToJson(terms))))
  const unsigned = adapter.craft(intent, stored, reservation, sender.publicKey)
  return adapter.combine(
    unsigned,
    unsigned.digests.map((digest) => signDigest(sender.key, digest)),
  )
}

export async function quotedBy(adapter: ChainAdapter, intent: Intent): Promise<LedgerTerms> {
  const quote = await adapter.quote(intent, CAPS)
  if (!quote.ok || quote.terms.family !== 'xrpl') throw new Error(JSON.stringify(quote))
  return quote.terms
}
