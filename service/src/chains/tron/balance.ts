import type { TokenId } from '@sluice/wire'
import { decodeText, decodeUint, encodeBalanceOf } from '../evm/abi.ts'
import { Doubt } from '../doubt.ts'
import type { SettledBalance } from '../chain-adapter.ts'
import type { Address, BlockRef, TokenFacts } from '../port.ts'
import { toContractForm, toHex41, ZERO_ADDRESS } from './address.ts'
import { contractOf } from './chain-ids.ts'
import { readHeader } from './node.ts'
import { amountOf, demand, hexOf, listOf, recordOf, textOf, wordsOf } from './rpc.ts'
import { NodeRefusal } from './tron-node.ts'
import type { Side, TronNode } from './tron-node.ts'

/** A node's answer for an address; zeros if it was never activated. */
export interface TronAccount {
  isActivated: boolean
  isContract: boolean
  /** sun */
  balance: bigint
}

/** The result of a simulated call. */
interface CallResult {
  /** The return value as 0x and digits; null if the call fails. */
  answer: string | null
  energy: bigint
  /** The node's message. */
  words: string
}

/** A new solid block comes every three seconds, and one read takes a fraction of that. */
const SETTLED_TRIES = 5
const DECIMALS_MAX = 255n
/** 0x and four bytes. */
const SELECTOR_DIGITS = 10

/**
 * Base units that an address holds at the head, including unconfirmed transactions, or at the
 * newest solid block. Null for every other block: the state behind `/wallet` already includes
 * broadcast transactions, so it belongs to no block. Null also if the contract does not answer like
 * a token.
 */
export async function readBalance(
  node: TronNode,
  holder: Address,
  tokenId: TokenId,
  ref: BlockRef | 'head',
): Promise<bigint | null> {
  if (ref === 'head') return readNow(node, holder, tokenId)
  const settled = await readSettledOnce(node, holder, tokenId)
  return settled?.at.hash === ref.hash ? settled.amount : null
}

/**
 * The balance of an address at the newest solid block, with that block; null if the contract does
 * not answer like a token. A Doubt if the solid block changes during every read.
 */
export async function readSettled(
  node: TronNode,
  holder: Address,
  tokenId: TokenId,
): Promise<SettledBalance | null> {
  for (let tries = 0; tries < SETTLED_TRIES; tries += 1) {
    const settled = await readSettledOnce(node, holder, tokenId)
    if (settled === null) continue
    const { amount, at } = settled
    return amount === null ? null : { amount, at }
  }
  throw new Doubt(node.name, 'names another solid block after each read of a balance')
}

/**
 * Null if the solid block changed meanwhile; a null amount if the contract does not answer like a
 * token.
 */
async function readSettledOnce(
  node: TronNode,
  holder: Address,
  tokenId: TokenId,
): Promise<{ amount: bigint | null; at: BlockRef } | null> {
  const before = await readHeader(node, 'newest', 'walletsolidity')
  const amount = await readNow(node, holder, tokenId, 'walletsolidity')
  const after = await readHeader(node, 'newest', 'walletsolidity')
  if (before === null || after?.id !== before.id) return null
  return { amount, at: { height: before.height, hash: before.id } }
}

/**
 * The current base units on one side of the node; null if the contract does not answer like a
 * token.
 */
export async function readNow(
  node: TronNode,
  holder: Address,
  tokenId: TokenId,
  side: Side = 'wallet',
): Promise<bigint | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return (await readAccount(node, holder, side)).balance
  const data = encodeBalanceOf(toContractForm(holder))
  const called = { from: holder, contract, name: 'balanceOf(address)', data, side } as const
  const { answer } = await runCall(node, called)
  return answer === null ? null : decodeUint(answer)
}

/** `{}` is the answer for an address that was never activated. */
export async function readAccount(
  node: TronNode,
  address: Address,
  side: Side = 'wallet',
): Promise<TronAccount> {
  const hex = toHex41(address)
  const params = { address: hex }
  const account = recordOf(await node.ask({ side, method: 'getaccount', params }), 'account')
  if (Object.keys(account).length === 0) {
    return { isActivated: false, isContract: false, balance: 0n }
  }
  demand(account.address === hex, 'another account')
  return {
    isActivated: true,
    isContract: textOf(account.type, 'account.type') === 'Contract',
    balance: amountOf(account.balance, 'account.balance'),
  }
}

/**
 * Decimals and symbol of a contract; null without one, or if it does not answer both like a token.
 */
export async function readTokenFacts(node: TronNode, tokenId: TokenId): Promise<TokenFacts | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return null
  const [decimalsCall, symbolCall] = await Promise.all(
    (['decimals()', 'symbol()'] as const).map((name) =>
      runCall(node, { from: ZERO_ADDRESS, contract, name }),
    ),
  )
  const decimals = decodeUint(decimalsCall?.answer ?? '0x')
  const symbol = decodeText(symbolCall?.answer ?? '0x')
  if (decimals === null || decimals > DECIMALS_MAX || symbol === null) return null
  return { decimals: Number(decimals), symbol }
}

/** Base units of a contract token that exist now; null if the contract does not answer. */
export async function readSupply(node: TronNode, tokenId: TokenId): Promise<bigint | null> {
  const contract = contractOf(tokenId)
  if (contract === null) return null
  const call = { from: ZERO_ADDRESS, contract, name: 'totalSupply()' } as const
  const { answer } = await runCall(node, call)
  return answer === null ? null : decodeUint(answer)
}

/** A function of a token and the data of its call: 0x, the four-byte selector, and arguments. */
interface TokenCall {
  from: Address
  contract: Address
  name:
    | 'balanceOf(address)'
    | 'decimals()'
    | 'symbol()'
    | 'totalSupply()'
    | 'transfer(address,uint256)'
  data?: string
  side?: Side
}

/** Runs a call on the node's current state. */
export async function runCall(
  node: TronNode,
  { from, contract, name, data = '', side = 'wallet' }: TokenCall,
): Promise<CallResult> {
  // Old nodes accept functions only by name and hash the name themselves.
  const params = {
    owner_address: toHex41(from),
    contract_address: toHex41(contract),
    function_selector: name,
    parameter: data.slice(SELECTOR_DIGITS),
  }
  const answer = recordOf(
    await node.ask({ side, method: 'triggerconstantcontract', params }),
    'call',
  )
  const result = recordOf(answer.result, 'call.result')
  const words = wordsOf(result.message)
  if (result.result !== true) {
    const code = textOf(result.code, 'call.result.code')
    demand(code !== '', 'a call without a result')
    if (code === 'CONTRACT_VALIDATE_ERROR' || code === 'CONTRACT_EXE_ERROR') {
      return { answer: null, energy: 0n, words }
    }
    throw new NodeRefusal(node.name, 'triggerconstantcontract', `${code}: ${words}`)
  }
  const [ret] = listOf(recordOf(answer.transaction ?? {}, 'call.transaction').ret, 'call.ret')
  const hasFailed = recordOf(ret ?? {}, 'call.ret').ret === 'FAILED'
  const [bytes = ''] = listOf(answer.constant_result, 'constant_result')
  const energy = amountOf(answer.energy_used, 'energy_used')
  return { answer: hasFailed ? null : `0x${hexOf(bytes, 'constant_result')}`, energy, words }
}
