import type { ChainId } from '@sluice/wire'
import { decodeTransfer } from '../evm/abi.ts'
import type { BlockScope, MovedApart, TransactionSeen } from '../port.ts'
import { fromContractForm, fromHex41 } from './address.ts'
import { readMoves, toBlock } from './block.ts'
import { contractTokenId, nativeTokenId } from './chain-ids.ts'
import { contractIn } from './contract.ts'
import { readOutcome } from './fate.ts'
import { fetchBlock } from './fetch-block.ts'
import { parseTransactionOrNone } from './rpc.ts'
import type { RpcOutcome } from './rpc.ts'
import type { TronNode } from './tron-node.ts'

/**
 * A node's answer for one transaction, in a block or unconfirmed. `gettransactionbyid` reports
 * unconfirmed transactions as successful, so that result is ignored. Null if the node does not know
 * it.
 */
export async function lookUp(
  node: TronNode,
  chainId: ChainId,
  txnHash: string,
  { scope, readsInternal }: { scope: Pick<BlockScope, 'tokens'>; readsInternal: boolean },
): Promise<TransactionSeen | null> {
  const outcome = await readOutcome(node, txnHash)
  if (outcome === null) {
    const answer = await node.ask({ method: 'gettransactionbyid', params: { value: txnHash } })
    const waiting = parseTransactionOrNone(answer)
    if (waiting === null) return null
    const apart = meantBy(chainId, waiting.raw)
    return { block: null, succeeded: null, transfers: [], apart }
  }
  return inBlock(node, chainId, { outcome, scope, readsInternal })
}

async function inBlock(
  node: TronNode,
  chainId: ChainId,
  {
    outcome,
    scope,
    readsInternal,
  }: { outcome: RpcOutcome; scope: Pick<BlockScope, 'tokens'>; readsInternal: boolean },
): Promise<TransactionSeen | null> {
  const query = { height: outcome.height }
  const fetched = await fetchBlock(node, query, { completeness: 'logs', scope })
  if (fetched === null) return null
  const block = toBlock(chainId, fetched, scope, { readsInternal })
  const found = fetched.block.transactions.find(({ id }) => id === outcome.id)
  const told = block.transactions.find(({ txnHash }) => txnHash === outcome.id)
  if (found === undefined || told === undefined) return null
  const transfers = block.transfers.filter(({ txnHash }) => txnHash === outcome.id)
  const { succeeded } = told
  const ref = { height: block.height, hash: block.hash }
  if (!succeeded) return { block: ref, succeeded, transfers, apart: meantBy(chainId, found.raw) }
  const listed = new Set<string | null>(scope.tokens)
  const apart = readMoves(chainId, outcome.logs).filter(
    ({ tokenId, amount }) => amount === 0n || !listed.has(tokenId),
  )
  return { block: ref, succeeded, transfers, apart }
}

/** The moves that the bytes of a transaction would make. */
function meantBy(chainId: ChainId, raw: Uint8Array): MovedApart[] {
  const contract = contractIn(raw)
  if (!('owner' in contract)) return []
  const from = fromHex41(contract.owner)
  if (contract.kind === 'transfer') {
    const { amount } = contract
    return [
      { tokenId: nativeTokenId(chainId), from, to: fromHex41(contract.to), amount, tag: null },
    ]
  }
  const call = decodeTransfer(`0x${Buffer.from(contract.data).toString('hex')}`)
  if (call === null) return []
  const tokenId = contractTokenId(chainId, fromHex41(contract.contract))
  return [{ tokenId, from, to: fromContractForm(call.to), amount: call.amount, tag: null }]
}
