import type { ChainId, TokenId } from '@sluice/wire'
import { assert } from '../../base/assert.ts'
import { Outage } from '../../base/fault.ts'
import type { Coin, Decoded } from '../port.ts'
import { addressOfScript } from './address.ts'
import { MONEY_MAX, parseTransaction } from './raw-transaction.ts'
import type { RawTransaction } from './raw-transaction.ts'
import { signersOf } from './transaction.ts'
import { assertSigned } from './verify-witnesses.ts'

/** BIP-141: weight units of a virtual byte. */
const WITNESS_SCALE = 4

/**
 * Reads the effect of signed bytes. The fee is the amount of the inputs beyond the outputs, so each
 * spent output must be passed in full: without them the fee is the maximum, which no cap allows.
 * They also prove that their keys signed exactly these bytes. Pure. A Bug if the bytes are not a
 * transaction, spend other outputs or are signed by another key.
 */
export function decodeTransaction(
  { chainId, tokenId }: { chainId: ChainId; tokenId: TokenId },
  raw: Uint8Array,
  coins: readonly Coin[] | null,
): Decoded {
  const transaction = readOrBug(raw)
  const { txid, inputs, outputs, weight } = transaction
  const spent = coins === null ? null : spentCoins(chainId, transaction, coins)
  const [shown] = signersOf(inputs, chainId)
  const from = spent?.[0]?.address ?? shown ?? ''
  assert(from !== '', 'a transaction that shows no signer', { txid })
  const paid = outputs.map(({ script, value }) => {
    return { address: addressOfScript(script, chainId) ?? ('' as const), amount: value }
  })
  const { address: to, amount } = paid[0] ?? { address: '' as const, amount: 0n }
  return {
    txnHash: txid,
    chainId,
    from,
    to,
    tokenId: paid.every(({ address }) => address !== '') ? tokenId : null,
    amount,
    nonce: null,
    maxFee: spent === null ? MONEY_MAX : feeOf(spent, outputs),
    outputs: paid,
    spends: inputs.map(({ txid: txnHash, vout }) => ({ txnHash, vout })),
    vsize: Math.ceil(weight / WITNESS_SCALE),
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

/** The spent outputs in the order of the inputs, each with a verified signature. */
function spentCoins(
  chainId: ChainId,
  transaction: RawTransaction,
  coins: readonly Coin[],
): readonly Coin[] {
  const { inputs } = transaction
  const known = new Map(coins.map((coin) => [`${coin.txnHash}:${coin.vout}`, coin]))
  assert(inputs.length === coins.length, 'other coins than the transaction spends')
  const spent = inputs.map(({ txid, vout }) => {
    const coin = known.get(`${txid}:${vout}`)
    assert(coin !== undefined, 'a coin that is not known', { txid, vout })
    return coin
  })
  assertSigned(chainId, transaction, spent)
  return spent
}

/** The amount of the inputs beyond the outputs. */
function feeOf(spent: readonly Coin[], outputs: RawTransaction['outputs']): bigint {
  const held = spent.reduce((sum, { amount }) => sum + amount, 0n)
  return held - outputs.reduce((sum, { value }) => sum + value, 0n)
}
