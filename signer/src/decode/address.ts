import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js'
import { base58xrp, createBase58check } from '@scure/base'
import { addressOfScript, keyHashScript, taprootScript } from './bitcoin-script.ts'
import { fromBigEndian } from './bytes.ts'
import { familyOf, networkOf } from './chains.ts'
import { demand } from './decoded.ts'

/** P2WPKH (BIP-84), or P2TR without scripts (BIP-86). */
export type AddressType = 'p2wpkh' | 'p2tr'

const KEY_BYTES = 33
const CHECKSUM_BYTES = 4
/** Prefixes of TRON addresses and of XRPL account ids. */
const TRON_PREFIX = 0x41
const XRPL_PREFIX = 0x00
const base58check = createBase58check(sha256)

/**
 * The address of a compressed secp256k1 public key (33 bytes) on a chain, in the chain's own text:
 * EIP-55, bech32 or bech32m, base58check of TRON, classic address of the XRP Ledger. Throws for a
 * key that is not on the curve, and Undecodable for an unknown chain or another length.
 */
export function addressOf(
  chainId: string,
  publicKey: Uint8Array,
  addressType: AddressType = 'p2wpkh',
): string {
  demand(publicKey.length === KEY_BYTES, 'the public key is not compressed (33 bytes)')
  const point = secp256k1.Point.fromBytes(publicKey)
  switch (familyOf(chainId)) {
    case 'eip155':
      return checksumAddress(accountOf(point.toBytes(false)))
    case 'tron':
      return tronAddress(accountOf(point.toBytes(false)))
    case 'xrpl':
      return xrplAddress(hash160(publicKey))
    case 'bip122': {
      const isTaproot = addressType === 'p2tr'
      const script = isTaproot
        ? taprootScript(outputKeyOf(point))
        : keyHashScript(hash160(publicKey))
      return addressOfScript(script, networkOf(chainId))
    }
  }
}

/** The text of an EVM address of 20 bytes: EIP-55. */
export function checksumAddress(address: Uint8Array): string {
  const digits = bytesToHex(address)
  const hash = bytesToHex(keccak_256(Buffer.from(digits, 'ascii')))
  const cased = digits.replaceAll(/[a-f]/g, (letter, index: number) =>
    hash.charAt(index) >= '8' ? letter.toUpperCase() : letter,
  )
  return `0x${cased}`
}

/** The text of a TRON address, of the 20 bytes behind its prefix. */
export function tronAddress(account: Uint8Array): string {
  return base58check.encode(concatBytes(Uint8Array.of(TRON_PREFIX), account))
}

/** The classic address of an XRPL account id of 20 bytes. */
export function xrplAddress(accountId: Uint8Array): string {
  const payload = concatBytes(Uint8Array.of(XRPL_PREFIX), accountId)
  const checksum = sha256(sha256(payload)).subarray(0, CHECKSUM_BYTES)
  return base58xrp.encode(concatBytes(payload, checksum))
}

/** RIPEMD-160 of SHA-256: the hash in P2WPKH scripts, and the account id of an XRPL key. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(sha256(bytes))
}

/** The last 20 bytes of keccak-256 of both coordinates (EVM, TRON). */
function accountOf(uncompressedKey: Uint8Array): Uint8Array {
  return keccak_256(uncompressedKey.subarray(1)).subarray(-20)
}

/** The tweaked key of an output without scripts (BIP-341, `taproot_tweak_pubkey`): 32 bytes. */
function outputKeyOf(point: InstanceType<typeof secp256k1.Point>): Uint8Array {
  const internal = schnorr.utils.pointToBytes(point)
  const tweak = fromBigEndian(schnorr.utils.taggedHash('TapTweak', internal))
  const lifted = schnorr.utils.lift_x(fromBigEndian(internal))
  return schnorr.utils.pointToBytes(lifted.add(secp256k1.Point.BASE.multiply(tweak)))
}

/** An address in one case, if it stays the same address: EVM, bech32. */
export function foldAddress(address: string): string {
  const hasNoCase = /^(0x[0-9a-fA-F]{40}|(bc|tb|bcrt)1[0-9a-z]+|(BC|TB|BCRT)1[0-9A-Z]+)$/
  return hasNoCase.test(address) ? address.toLowerCase() : address
}
