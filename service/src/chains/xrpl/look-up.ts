import type { ChainId } from '@sluice/wire'
import type { Address, MovedApart, TransactionSeen } from '../port.ts'
import { nativeTokenId, transfersOf } from './block.ts'
import { parseXrplAddress } from './address.ts'
import type { Entry } from './ledger.ts'
import { parseEntry } from './ledger.ts'
import { readDeed } from './moves.ts'
import { readHeader } from './node.ts'
import { demand, parseUint32, uint32OrNull } from './read.ts'
import { XrplRefusal } from './rpc.ts'
import type { XrplRpc } from './rpc.ts'

/**
 * One transaction with everything it moves, for searches by people; null if the node does not know
 * it. It is pending until a validated ledger has it. Amounts in other currencies, and of failed
 * transactions, are listed separately.
 */
export async function lookUp(
  rpc: XrplRpc,
  chainId: ChainId,
  txnHash: string,
): Promise<TransactionSeen | null> {
  const found = await askTransaction(rpc, txnHash)
  if (found === null) return null
  const { entry, height } = found
  const header = height === null ? null : await readHeader(rpc, height)
  if (header === null) {
    return { block: null, succeeded: null, transfers: [], apart: promiseOf(chainId, entry) }
  }
  const deed = readDeed(entry)
  const transfers = transfersOf(chainId, deed, () => true)
  return {
    block: { height: header.height, hash: header.hash },
    succeeded: deed.succeeded,
    transfers,
    apart: transfers.length > 0 ? [] : promiseOf(chainId, entry),
  }
}

/** The transaction and its validated ledger; null if no validated ledger has it. */
async function askTransaction(
  rpc: XrplRpc,
  txnHash: string,
): Promise<{ entry: Entry; height: number | null } | null> {
  try {
    const result = await rpc.call('tx', { transaction: txnHash })
    if (result['validated'] !== true) {
      const entry = parseEntry({ meta: {}, ...result, hash: txnHash })
      return { entry, height: null }
    }
    const entry = parseEntry(result)
    demand(entry.txnHash === txnHash, 'another transaction than was asked for')
    return { entry, height: parseUint32(result['ledger_index'], 'tx.ledger_index') }
  } catch (error) {
    if (error instanceof XrplRefusal && error.error === 'txnNotFound') return null
    throw error
  }
}

/** The claimed amount of a payment, delivered or not. */
function promiseOf(chainId: ChainId, { transaction }: Entry): MovedApart[] {
  const { Amount: amount, Destination: to, Account: from } = transaction
  const [payer, payee] = [addressIn(from), addressIn(to)]
  if (payee === null || amount === undefined) return []
  const isXrp = typeof amount === 'string' && /^\d{1,19}$/.test(amount)
  return [
    {
      tokenId: isXrp ? nativeTokenId(chainId) : null,
      from: payer ?? '',
      to: payee,
      amount: isXrp ? BigInt(amount) : 0n,
      tag: uint32OrNull(transaction['DestinationTag'], 'DestinationTag'),
    },
  ]
}

function addressIn(value: unknown): Address | null {
  return typeof value === 'string' ? parseXrplAddress(value) : null
}
