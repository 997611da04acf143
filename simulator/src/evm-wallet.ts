import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bigEndian, concat, fromHex, type Hex, toHex } from './hex.ts'
import { type RlpItem, rlp } from './rlp.ts'

export interface Wallet {
  /** In EIP-55 spelling. */
  readonly address: Hex
  readonly privateKey: Hex
}

interface CommonFields {
  nonce: number
  /** Absent: a contract is created. */
  to?: string
  /** wei */
  value?: bigint
  data?: string
  gas: number
}

/** Without chainId the transaction is unprotected: it is valid on each chain (before EIP-155). */
export interface LegacyTransaction extends CommonFields {
  type: 'legacy'
  chainId?: number
  gasPrice: bigint
}

export interface FeeMarketTransaction extends CommonFields {
  type: 'eip1559'
  chainId: number
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export type UnsignedTransaction = LegacyTransaction | FeeMarketTransaction

/** Keys of "test test test test test test test test test test test junk", which anvil endows. */
const DEV_KEYS: readonly Hex[] = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
  '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97',
  '0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
]

/** The n-th of anvil's ten development accounts, 0 to 9. Their keys are public: for tests alone. */
export function devWallet(n: number): Wallet {
  const key = DEV_KEYS[n]
  if (key === undefined) throw new Error(`there is no development account ${n}`)
  return walletOf(key)
}

export function walletOf(privateKey: Hex): Wallet {
  const point = secp256k1.getPublicKey(fromHex(privateKey), false)
  return { privateKey, address: checksumAddress(toHex(keccak_256(point.subarray(1)).subarray(12))) }
}

/** The EIP-55 spelling of an address. */
export function checksumAddress(address: string): Hex {
  const digits = address.toLowerCase().replace(/^0x/, '')
  const marks = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex')
  const spelled = Array.from(digits, (digit, at) =>
    Number.parseInt(marks[at] ?? '0', 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${spelled.join('')}`
}

/** The address of the contract that the sender's transaction of that nonce creates (EIP-55). */
export function createAddress(sender: string, nonce: number): Hex {
  const hash = keccak_256(rlp([fromHex(sender), bigEndian(nonce)]))
  return checksumAddress(toHex(hash.subarray(12)))
}

/**
 * The bytes for eth_sendRawTransaction. Signatures are those of RFC 6979: the same input, the same
 * bytes.
 */
export function signTransaction(wallet: Wallet, transaction: UnsignedTransaction): Hex {
  return transaction.type === 'legacy'
    ? signLegacy(wallet, transaction)
    : signFeeMarket(wallet, transaction)
}

/** The hash by which chains know a signed transaction. */
export function transactionHash(raw: string): Hex {
  return toHex(keccak_256(fromHex(raw)))
}

/** EIP-155 if a chain id is given, else Homestead. */
function signLegacy(wallet: Wallet, transaction: LegacyTransaction): Hex {
  const { chainId, nonce, gasPrice, gas } = transaction
  const fields = [bigEndian(nonce), bigEndian(gasPrice), bigEndian(gas), ...payload(transaction)]
  const domain = chainId === undefined ? [] : [bigEndian(chainId), bigEndian(0), bigEndian(0)]
  const { r, s, parity } = sign(wallet, rlp([...fields, ...domain]))
  const v = parity + (chainId === undefined ? 27 : 35 + chainId * 2)
  return toHex(rlp([...fields, bigEndian(v), r, s]))
}

/** EIP-1559 with an empty access list. */
function signFeeMarket(wallet: Wallet, transaction: FeeMarketTransaction): Hex {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas } = transaction
  const numbers = [chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(bigEndian)
  const fields: RlpItem[] = [...numbers, ...payload(transaction), []]
  const { r, s, parity } = sign(wallet, typed(fields))
  return toHex(typed([...fields, bigEndian(parity), r, s]))
}

function typed(fields: RlpItem[]): Uint8Array {
  return concat([Uint8Array.of(2), rlp(fields)])
}

function payload({ to = '0x', value = 0n, data = '0x' }: CommonFields): Uint8Array[] {
  return [fromHex(to), bigEndian(value), fromHex(data)]
}

function sign(
  wallet: Wallet,
  message: Uint8Array,
): { r: Uint8Array; s: Uint8Array; parity: number } {
  const options = { prehash: false, format: 'recovered' } as const
  const bytes = secp256k1.sign(keccak_256(message), fromHex(wallet.privateKey), options)
  const integer = (from: number) => bigEndian(BigInt(toHex(bytes.subarray(from, from + 32))))
  return { r: integer(1), s: integer(33), parity: bytes[0] ?? 0 }
}
