import { decodeBitcoin } from './bitcoin.ts'
import { digestsOfBitcoin } from './bitcoin-digest.ts'
import { familyOf } from './chains.ts'
import { type Decoded, demand, type Family, type Input } from './decoded.ts'
import { decodeEvm, digestOfEvm } from './evm.ts'
import { decodeTron, digestOfTron } from './tron.ts'
import { decodeXrpl, digestOfXrpl } from './xrpl.ts'

/** Decoders and digests of the families whose transactions the sender alone signs, once. */
type SingleSignerFamily = Exclude<Family, 'bip122'>
const DECODERS: Readonly<Record<SingleSignerFamily, (body: Uint8Array) => Decoded>> = {
  eip155: decodeEvm,
  tron: decodeTron,
  xrpl: decodeXrpl,
}
const DIGESTS: Readonly<Record<SingleSignerFamily, (body: Uint8Array) => Uint8Array>> = {
  eip155: digestOfEvm,
  tron: digestOfTron,
  xrpl: digestOfXrpl,
}

/**
 * Decodes an unsigned transaction for a chain (CAIP-2). `inputs`: the outputs that a Bitcoin
 * transaction spends, in the order of its inputs; empty on other chains. Accepts exactly the forms
 * that the service makes, each in its one encoding. Throws Undecodable for anything else, and if
 * the bytes name another chain.
 */
export function decodeUnsigned(
  chainId: string,
  body: Uint8Array,
  inputs: readonly Input[] = [],
): Decoded {
  const family = familyOf(chainId)
  if (family === 'bip122') return decodeBitcoin(chainId, body, inputs)
  demand(inputs.length === 0, 'only Bitcoin transactions have inputs')
  const decoded = DECODERS[family](body)
  const isOnChain = decoded.chainId === null || decoded.chainId === chainId
  demand(isOnChain, `the transaction is for ${decoded.chainId}, not for ${chainId}`)
  return decoded
}

/**
 * The digests (32 bytes) to sign for an unsigned transaction: on Bitcoin one for each input, else
 * one. Throws Undecodable for bytes that `decodeUnsigned` refuses, and for inputs that are neither
 * P2WPKH nor P2TR.
 */
export function digestsOf(
  chainId: string,
  body: Uint8Array,
  inputs: readonly Input[] = [],
): Uint8Array[] {
  decodeUnsigned(chainId, body, inputs)
  const family = familyOf(chainId)
  return family === 'bip122' ? digestsOfBitcoin(chainId, body, inputs) : [DIGESTS[family](body)]
}
