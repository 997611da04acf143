import type { TokenId } from '@sluice/wire'
import { matchAddresses } from '../accounts/watch.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { RowVerifier } from '../accounts/row-mac.ts'
import type { Block, Transfer } from '../chains/port.ts'
import type { Tx } from '../store/database.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { type OwnTransaction, isOwnTraffic } from '../transactions/core/spend.ts'
import { type Receiver, attributeArrivals } from './attribute.ts'

/** A transfer from outside that reaches an address of ours. */
export interface Match {
  block: Block
  transfer: Transfer
  watched: Receiver
  /** Base units of this token that the block moved into the address, less those it moved out. */
  netMovement: bigint
}

/** The transfers of these blocks that reach addresses of ours, without our own (engineering, 8). */
export async function matchTransfers(
  tx: Tx,
  {
    serviceKey,
    entry,
    blocks,
  }: { serviceKey: RowVerifier; entry: ChainEntry; blocks: readonly Block[] },
): Promise<Match[]> {
  const addresses = blocks.flatMap((block) => block.transfers.map(({ to }) => to))
  if (addresses.length === 0) return []
  const watched = await matchAddresses(tx, serviceKey, { scope: watchScope(entry), addresses })
  const arrivals: Omit<Match, 'netMovement'>[] = []
  for (const block of blocks) {
    for (const transfer of block.transfers) {
      const owner = watched.get(transfer.to)
      if (owner !== undefined) arrivals.push({ block, transfer, watched: owner })
    }
  }
  const received = entry.sharesAddresses
    ? await attributeArrivals(tx, { serviceKey, entry }, arrivals)
    : arrivals
  const hashes = [...new Set(received.map(({ transfer }) => transfer.txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  const outside = received.filter((arrival) => {
    const known = own.get(arrival.transfer.txnHash)
    return !isOwnTraffic(known) && !isChange(entry, arrival, known)
  })
  return withNet(outside, nativeTokenId(entry))
}

/** Bitcoin: the change of a payment returns to the organization that paid. */
function isChange(
  entry: ChainEntry,
  { watched: { purpose, orgId } }: Pick<Match, 'watched'>,
  own: OwnTransaction | undefined,
): boolean {
  return entry.paymentModel === 'utxo' && purpose === 'settlement' && own?.orgId === orgId
}

function withNet(matches: readonly Omit<Match, 'netMovement'>[], native: TokenId): Match[] {
  const paid = new Map<Block, Set<string>>()
  for (const { block, transfer } of matches) {
    const addresses = paid.get(block) ?? new Set()
    paid.set(block, addresses.add(transfer.to))
  }
  const net = new Map([...paid].map(([block, to]) => [block, netOf(block, native, to)]))
  return matches.map((match) => {
    const { to, tokenId, amount } = match.transfer
    const netMovement = net.get(match.block)?.get(movementKey(to, tokenId)) ?? amount
    return { ...match, netMovement }
  })
}

function netOf(
  { transfers, transactions }: Block,
  native: TokenId,
  addresses: ReadonlySet<string>,
): Map<string, bigint> {
  const net = new Map<string, bigint>()
  const add = (address: string, tokenId: string, amount: bigint) => {
    if (!addresses.has(address)) return
    const key = movementKey(address, tokenId)
    net.set(key, (net.get(key) ?? 0n) + amount)
  }
  for (const { from, to, tokenId, amount } of transfers) {
    add(to, tokenId, amount)
    add(from, tokenId, -amount)
  }
  for (const { sender, fee } of transactions) add(sender, native, -fee)
  return net
}

function movementKey(address: string, tokenId: string): string {
  return `${address} ${tokenId}`
}
