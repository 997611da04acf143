import { createHash } from 'node:crypto'
import { encode, encodeForSigning } from 'ripple-binary-codec'
import { deriveAddress, deriveKeypair, generateSeed, sign, verify } from 'ripple-keypairs'
import type { XrplTransaction } from './engine.ts'

/** A key of the XRP Ledger and its account. */
export interface XrplWallet {
  address: string
  publicKey: string
  privateKey: string
}

/** The account that has all XRP in the first ledger of every network. */
export const GENESIS_SECRET = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb'

/** A wallet that follows from a name alone; its key is on secp256k1. */
export function xrplWallet(name: string): XrplWallet {
  const entropy = createHash('sha256').update(`xrpl/${name}`).digest().subarray(0, 16)
  return walletOf(generateSeed({ entropy, algorithm: 'ecdsa-secp256k1' }))
}

/** The wallet of a secret (s…). */
export function walletOf(secret: string): XrplWallet {
  const { publicKey, privateKey } = deriveKeypair(secret)
  return { address: deriveAddress(publicKey), publicKey, privateKey }
}

/** Signs a transaction; its bytes in hex. */
export function signXrpl(transaction: XrplTransaction, wallet: XrplWallet): string {
  const named = { ...transaction, SigningPubKey: wallet.publicKey }
  const signature = sign(encodeForSigning(named), wallet.privateKey)
  return encode({ ...named, TxnSignature: signature })
}

/** Whether the key that a transaction names has signed it, and is its account's. */
export function isWellSigned(transaction: XrplTransaction): boolean {
  const { TxnSignature: signature, ...unsigned } = transaction
  const key = String(transaction['SigningPubKey'])
  try {
    const isOwn = deriveAddress(key) === transaction['Account']
    return isOwn && verify(encodeForSigning(unsigned), String(signature), key)
  } catch {
    return false
  }
}
