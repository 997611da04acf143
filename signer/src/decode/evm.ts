import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { checksumAddress } from './address.ts'
import { fromBigEndian, isEqual } from './bytes.ts'
import { type Action, type Decoded, demand } from './decoded.ts'
import { decodeList, type RlpItem } from './rlp.ts'

/** EIP-2718 type of a transaction with a fee market (EIP-1559). */
const FEE_MARKET = 0x02
const ITEMS = 9
const WORD_BYTES = 32
const ADDRESS_BYTES = 20
/** `transfer(address,uint256)` of ERC-20, with the 12 zero bytes before the address. */
const TRANSFER = concatBytes(hexToBytes('a9059cbb'), new Uint8Array(WORD_BYTES - ADDRESS_BYTES))
const TRANSFER_BYTES = TRANSFER.length + ADDRESS_BYTES + WORD_BYTES

/**
 * Decodes an unsigned EVM transaction: EIP-1559 with an empty access list, or legacy with a chain
 * id (EIP-155); a native payment without data, or exactly a token's `transfer` without value.
 * Throws Undecodable for anything else. Type, priority fee, and how gas limit and price make up the
 * fee are not part of the result.
 */
export function decodeEvm(body: Uint8Array): Decoded {
  const items = body[0] === FEE_MARKET ? feeMarketItems(body.subarray(1)) : legacyItems(body)
  const [chainId, nonce, tip, price, gasLimit, to, value, data] = items
  demand(numberOf(chainId) > 0n, 'the transaction names no chain')
  demand(numberOf(nonce) <= Number.MAX_SAFE_INTEGER, 'the nonce is above 2^53 - 1')
  demand(numberOf(tip) <= numberOf(price), 'the priority fee is above the whole fee')
  demand(numberOf(gasLimit) > 0n, 'the gas limit is 0')
  return {
    chainId: `eip155:${numberOf(chainId)}`,
    from: null,
    action: actionOf(bytesOf(to), numberOf(value), bytesOf(data)),
    slot: { kind: 'nonce', nonce: Number(numberOf(nonce)) },
    maxFee: numberOf(gasLimit) * numberOf(price),
  }
}

/** The digest that the sender signs: keccak-256 of the whole body. */
export function digestOfEvm(body: Uint8Array): Uint8Array {
  return keccak_256(body)
}

function actionOf(target: Uint8Array, value: bigint, data: Uint8Array): Action {
  if (data.length === 0) return payment(null, target, value)
  demand(value === 0n, 'the transaction has both value and data')
  const isTransfer = isEqual(data.subarray(0, TRANSFER.length), TRANSFER)
  demand(isTransfer && data.length === TRANSFER_BYTES, 'the data is not exactly an ERC-20 transfer')
  const to = data.subarray(TRANSFER.length, -WORD_BYTES)
  return payment(target, to, fromBigEndian(data.subarray(-WORD_BYTES)))
}

function payment(contract: Uint8Array | null, to: Uint8Array, amount: bigint): Action {
  const text = contract === null ? null : addressText(contract)
  return { kind: 'payment', contract: text, to: addressText(to), amount, memo: null }
}

/** A transaction without this address creates a contract. */
function addressText(bytes: Uint8Array): string {
  demand(bytes.length === ADDRESS_BYTES, 'the recipient is not an address of 20 bytes')
  demand(fromBigEndian(bytes) > 0n, 'the recipient is the zero address')
  return checksumAddress(bytes)
}

/** EIP-1559: chain id, nonce, priority fee, fee, gas limit, to, value, data, access list. */
function feeMarketItems(bytes: Uint8Array): RlpItem[] {
  const items = readItems(bytes)
  demand(items[ITEMS - 1] === null, 'the access list is not an empty list')
  return items
}

/** EIP-155: nonce, price, gas limit, to, value, data, chain id, 0, 0. The price is the tip too. */
function legacyItems(bytes: Uint8Array): (RlpItem | undefined)[] {
  const [nonce, price, gasLimit, to, value, data, chainId, r, s] = readItems(bytes)
  demand(bytesOf(r).length === 0 && bytesOf(s).length === 0, 'the transaction is signed')
  return [chainId, nonce, price, price, gasLimit, to, value, data]
}

function readItems(bytes: Uint8Array): RlpItem[] {
  const items = decodeList(bytes)
  demand(items.length === ITEMS, `the transaction has ${items.length} fields instead of ${ITEMS}`)
  return items
}

function bytesOf(item: RlpItem | undefined): Uint8Array {
  demand(item !== undefined && item !== null, 'a field is a list instead of bytes')
  return item
}

function numberOf(item: RlpItem | undefined): bigint {
  const bytes = bytesOf(item)
  demand(bytes.length <= WORD_BYTES, 'a number has more than 32 bytes')
  demand(bytes[0] !== 0, 'a number has a leading zero')
  return fromBigEndian(bytes)
}
