import type { ChainId, TokenId } from '@sluice/wire'
import type { RowVerifier } from '../../accounts/row-mac.ts'
import { type TagOwner, matchTags } from '../../accounts/tagged.ts'
import { type Watched, matchAddresses } from '../../accounts/watch.ts'
import type { Millis } from '../../base/clock.ts'
import { Outage } from '../../base/fault.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import { type ChainState, readChainState } from '../../catalogue/chain-state.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { watchScope } from '../../catalogue/scope.ts'
import type { ChainAdapter } from '../../chains/chain-adapter.ts'
import type { Address, MovedApart, TransactionSeen } from '../../chains/port.ts'
import type { Deposit, Funding } from '../../deposits/deposit.ts'
import { transfersOfTransaction, waitingBelowMinimum } from '../../deposits/list.ts'
import { isChainDisputed } from '../../alerts/read-dispute.ts'
import { purposeOfTransaction } from '../../transactions/core/read.ts'
import type { Purpose } from '../../transactions/core/spend.ts'
import type { Tx } from '../../store/database.ts'

/** The nodes' answer: `away` if no node answered, `unasked` if the chain has no nodes. */
export type Sight = TransactionSeen | 'unknown' | 'away' | 'unasked'

/** The input of `trace`, for one organization or for all. */
export interface TraceFacts {
  catalogue: Catalogue
  entry: ChainEntry
  txnHash: string
  now: Millis
  state: ChainState | null
  /** Whether the nodes of the chain disagree about blocks in which something is to be credited. */
  isDisputed: boolean
  seen: Sight
  deposits: readonly Deposit[]
  fundings: readonly Funding[]
  /** The purpose for which we signed it; null if we did not. */
  own: Purpose | null
  /** The owners of the addresses that it pays; unknown addresses are omitted. */
  watched: ReadonlyMap<Address, Watched>
  /** The owners of its destination tags at shared addresses, by `tagKey`. */
  tagged: ReadonlyMap<string, TagOwner>
  /** Base units of the token that wait below the minimum at the account, by deposit id. */
  waiting: ReadonlyMap<string, bigint>
  isTokenOn: (tokenId: TokenId) => boolean
}

/** Queries a node for a transaction. Never inside a database transaction. */
export async function readNodes(
  adapter: Pick<ChainAdapter, 'transaction'> | null,
  { catalogue, chainId, txnHash }: { catalogue: Catalogue; chainId: ChainId; txnHash: string },
): Promise<Sight> {
  if (adapter === null) return 'unasked'
  const tokens = catalogue.tokensOf(chainId).map(({ id }) => id)
  try {
    return (await adapter.transaction(txnHash, { tokens })) ?? 'unknown'
  } catch (error) {
    if (error instanceof Outage) return 'away'
    throw error
  }
}

/** Reads our own records, of one organization if `tx` is scoped to it. */
export async function readFacts(
  tx: Tx,
  {
    serviceKey,
    ...subject
  }: Pick<TraceFacts, 'catalogue' | 'entry' | 'txnHash' | 'seen' | 'isTokenOn'> & {
    serviceKey: RowVerifier
  },
): Promise<TraceFacts> {
  const { entry, txnHash, seen } = subject
  const key = { chainId: entry.id, txnHash }
  const [state, isDisputed, { deposits, fundings }, own, watched, tagged] = await Promise.all([
    readChainState(tx, entry.id),
    isChainDisputed(tx, entry.id),
    transfersOfTransaction(tx, key),
    purposeOfTransaction(tx, key),
    matchAddresses(tx, serviceKey, {
      scope: watchScope(entry),
      addresses: movesIn(seen).map(({ to }) => to),
    }),
    matchTags(tx, serviceKey, { chainId: entry.id, pairs: tagsIn(seen) }),
  ])
  const small = deposits.filter(({ status }) => status === 'BelowMinimum')
  const waiting = new Map<string, bigint>()
  for (const deposit of small) waiting.set(deposit.id, await waitingBelowMinimum(tx, deposit))
  const now = tx.clock.now()
  const { owners } = tagged
  const read = { state, isDisputed, deposits, fundings, own, watched, tagged: owners, waiting }
  return { ...subject, now, ...read }
}

function movesIn(seen: Sight): Pick<MovedApart, 'to' | 'tag'>[] {
  return typeof seen === 'string' ? [] : [...seen.transfers, ...seen.apart]
}

function tagsIn(seen: Sight): { address: Address; tag: number }[] {
  return movesIn(seen).flatMap(({ to: address, tag }) => (tag === null ? [] : [{ address, tag }]))
}
