import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { utf8 } from '@scure/base'
import { tronAddress } from './address.ts'
import { fromBigEndian, isEqual } from './bytes.ts'
import { type Action, type Decoded, demand } from './decoded.ts'
import { readMessage, type Values } from './protobuf.ts'

/** Messages of TRON (`protocol/core/Tron.proto` and `core/contract/`): the fields that we write. */
const RAW = {
  refBlockBytes: [1, 'bytes'],
  refBlockHash: [4, 'bytes'],
  expiration: [8, 'integer'],
  data: [10, 'bytes'],
  contract: [11, 'bytes'],
  timestamp: [14, 'integer'],
  feeLimit: [18, 'integer'],
} as const
/** Without provider, name and permission id. */
const CONTRACT = { type: [1, 'integer'], parameter: [2, 'bytes'] } as const
const ANY = { typeUrl: [1, 'bytes'], value: [2, 'bytes'] } as const
const TRANSFER = { owner: [1, 'bytes'], to: [2, 'bytes'], amount: [3, 'integer'] } as const
/** Without call value and token value. */
const CALL = { owner: [1, 'bytes'], contract: [2, 'bytes'], data: [4, 'bytes'] } as const
/** Without lock and lock period. */
const DELEGATION = {
  owner: [1, 'bytes'],
  resource: [2, 'integer'],
  balance: [3, 'integer'],
  receiver: [4, 'bytes'],
} as const

const URL = 'type.googleapis.com/protocol.'
const ENERGY = 1n
const REFERENCE_BYTES = 2
const REFERENCE_HASH_BYTES = 8
const ADDRESS_PREFIX = 0x41
const ACCOUNT_BYTES = 20
const WORD_BYTES = 32
/** `transfer(address,uint256)`, with the 12 zero bytes before the account. */
const SELECTOR = concatBytes(hexToBytes('a9059cbb'), new Uint8Array(WORD_BYTES - ACCOUNT_BYTES))

/** What a contract does, and for whom. */
interface Effect {
  owner: string
  action: Action
}

type Memo = string | null

/** The contracts that we write, by their type. */
const CONTRACTS: Readonly<
  Record<string, { name: string; read: (value: Uint8Array, raw: Terms) => Effect }>
> = {
  1: { name: 'TransferContract', read: readTransfer },
  31: { name: 'TriggerSmartContract', read: readCall },
  57: { name: 'DelegateResourceContract', read: (...args) => readDelegation('lend', ...args) },
  58: {
    name: 'UnDelegateResourceContract',
    read: (...args) => readDelegation('take-back', ...args),
  },
}

/** The parts of a transaction beside its contract that a contract allows or not. */
interface Terms {
  memo: Memo
  feeLimit: bigint
}

/**
 * Decodes the raw data of a TRON transaction: a transfer of TRX, exactly a token's `transfer`, or
 * energy that is delegated or taken back without a lock. Throws Undecodable for anything else. The
 * block that it refers to and its timestamp have no effect, and are not part of the result.
 */
export function decodeTron(body: Uint8Array): Decoded {
  const raw = readMessage(body, RAW)
  demand(raw.refBlockBytes.length === REFERENCE_BYTES, 'the block reference has not 2 bytes')
  demand(raw.refBlockHash.length === REFERENCE_HASH_BYTES, 'the block hash has not 8 bytes')
  demand(raw.expiration > 0n, 'the transaction does not expire')
  demand(raw.expiration <= Number.MAX_SAFE_INTEGER, 'the expiration is above 2^53 - 1 ms')
  demand(raw.timestamp > 0n, 'the transaction has no timestamp')
  const { owner, action } = effectOf(raw)
  return {
    chainId: null,
    from: owner,
    action,
    slot: { kind: 'window', expiresAt: Number(raw.expiration) },
    maxFee: raw.feeLimit,
  }
}

/** The digest that the owner signs, which is the transaction's id: SHA-256 of the raw data. */
export function digestOfTron(body: Uint8Array): Uint8Array {
  return sha256(body)
}

function effectOf({ contract, data, feeLimit }: Values<typeof RAW>): Effect {
  const { type, parameter } = readMessage(contract, CONTRACT)
  const form = CONTRACTS[String(type)]
  demand(form !== undefined, `the contract has the unknown type ${type}`)
  const { typeUrl, value } = readMessage(parameter, ANY)
  const isNamed = isEqual(typeUrl, Buffer.from(`${URL}${form.name}`, 'ascii'))
  demand(isNamed, `the contract of type ${type} is not named ${form.name}`)
  return form.read(value, { memo: memoOf(data), feeLimit })
}

function readTransfer(value: Uint8Array, { memo, feeLimit }: Terms): Effect {
  const { owner, to, amount } = readMessage(value, TRANSFER)
  demand(feeLimit === 0n, 'a transfer of TRX has a fee limit')
  return payment({ owner: accountOf(owner), contract: null, to: accountOf(to), amount, memo })
}

function readCall(value: Uint8Array, { memo, feeLimit }: Terms): Effect {
  const { owner, contract, data } = readMessage(value, CALL)
  demand(feeLimit > 0n, 'a call of a contract has no fee limit')
  const isTransfer = isEqual(data.subarray(0, SELECTOR.length), SELECTOR)
  const isWhole = data.length === SELECTOR.length + ACCOUNT_BYTES + WORD_BYTES
  demand(isTransfer && isWhole, 'the data is not exactly a transfer of a token')
  const to = data.subarray(SELECTOR.length, -WORD_BYTES)
  const amount = fromBigEndian(data.subarray(-WORD_BYTES))
  return payment({ owner: accountOf(owner), contract: accountOf(contract), to, amount, memo })
}

function readDelegation(
  act: 'lend' | 'take-back',
  value: Uint8Array,
  { memo, feeLimit }: Terms,
): Effect {
  const { owner, resource, balance, receiver } = readMessage(value, DELEGATION)
  demand(resource === ENERGY, 'the delegated resource is not energy')
  demand(memo === null && feeLimit === 0n, 'a delegation has a memo or a fee limit')
  const to = partyOf(accountOf(owner), accountOf(receiver))
  demand(balance > 0n, 'the delegated stake is 0')
  return {
    owner: tronAddress(accountOf(owner)),
    action: { kind: 'delegation', act, to, stake: balance },
  }
}

interface Payment {
  owner: Uint8Array
  contract: Uint8Array | null
  to: Uint8Array
  amount: bigint
  memo: Memo
}

function payment({ owner, contract, to, amount, memo }: Payment): Effect {
  demand(amount > 0n, 'the amount is 0')
  const token = contract === null ? null : tronAddress(contract)
  const action: Action = { kind: 'payment', contract: token, to: partyOf(owner, to), amount, memo }
  return { owner: tronAddress(owner), action }
}

/** The address of the other party, which the chain requires to differ from the owner. */
function partyOf(owner: Uint8Array, other: Uint8Array): string {
  demand(fromBigEndian(other) > 0n, 'the recipient is the zero address')
  demand(!isEqual(owner, other), 'the recipient is the owner')
  return tronAddress(other)
}

/** The 20 bytes behind the prefix of an address. */
function accountOf(address: Uint8Array): Uint8Array {
  const isAddress = address.length === ACCOUNT_BYTES + 1 && address[0] === ADDRESS_PREFIX
  demand(isAddress, 'an address is not 41 and 20 bytes')
  return address.subarray(1)
}

/** The text of a memo; null without one. */
function memoOf(data: Uint8Array): Memo {
  if (data.length === 0) return null
  try {
    return utf8.encode(data)
  } catch {
    demand(false, 'the memo is not UTF-8')
  }
}
