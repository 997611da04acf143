import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { Outage } from '../../base/fault.ts'
import type { Coin, Decoded } from '../port.ts'
import { addressOfScript } from './address.ts'
import { MONEY_MAX, parseTransaction } from './raw-transaction.ts'
import type { RawTransaction } from './raw-transaction.ts'
import { signersOf } from './transaction.ts'

/**
 * Says what signed bytes do. The fee is what the coins hold beyond the outputs, so that the coins
 * must be given, each one in full: without them the fee is as high as can be, and no cap allows it.
 * Pure. Bytes that are no transaction, or spend other coins, are a Bug.
 */
export function decodeTransaction(
  { chainId, tokenId }: { chainId: ChainId; tokenId: TokenId },
  raw: Uint8Array,
  coins: readonly Coin[] | null,
): Decoded {
  const transaction = readOrBug(raw)
  const { txid, inputs, outputs } = transaction
  const [from = ''] = signersOf(inputs, chainId)
  assert(from !== '', 'a transaction that shows no signer', { txid })
  const [first] = outputs
  const to = (first && addressOfScript(first.script, chainId)) ?? ''
  const isPayment = to !== '' && outputs.length <= 2
  return {
    txnHash: txid,
    chainId,
    from,
    to,
    tokenId: isPayment ? tokenId : null,
    amount: first?.value ?? 0n,
    nonce: null,
    maxFee: coins === null ? MONEY_MAX : feeOf(transaction, coins),
  }
}

function readOrBug(raw: Uint8Array): RawTransaction {
  try {
    return parseTransaction(Buffer.from(raw))
  } catch (error) {
    if (!(error instanceof Outage)) throw error
    assert(false, 'bytes that are no transaction', { reason: error.message })
  }
}

function feeOf({ inputs, outputs }: RawTransaction, coins: readonly Coin[]): bigint {
  const known = new Map(coins.map((coin) => [`${coin.txnHash}:${coin.vout}`, coin.amount]))
  assert(inputs.length === coins.length, 'other coins than the transaction spends')
  const spent = inputs.reduce((sum, { txid, vout }) => {
    const amount = known.get(`${txid}:${vout}`)
    assert(amount !== undefined, 'a coin that is not known', { txid, vout })
    return sum + amount
  }, 0n)
  return spent - outputs.reduce((sum, { value }) => sum + value, 0n)
}
