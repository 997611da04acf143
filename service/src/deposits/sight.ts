import type { TokenId } from '@sluice/wire'
import type { RowVerifier } from '../accounts/row-mac.ts'
import { matchAddresses } from '../accounts/watch.ts'
import { type ChainEntry, nativeTokenId } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Block, Transfer } from '../chains/port.ts'
import { ownTransactions } from '../transactions/core/own.ts'
import { type OwnTransaction, isOwnTraffic } from '../transactions/core/spend.ts'
import type { Tx } from '../store/database.ts'
import { type Purpose, type Receiver, attributeArrivals } from './attribute.ts'

/** A transfer from outside that reaches an address of ours. */
export interface Sighting {
  block: Block
  transfer: Transfer
  watched: Receiver
  /** What the block's transfers of this token brought to the address, less what they took. */
  netMovement: bigint
}

/**
 * Which transfers of these blocks reach addresses of the purposes that are wanted; own traffic is
 * left out (engineering, 8).
 */
export async function sightTransfers(
  tx: Tx,
  given: {
    serviceKey: RowVerifier
    entry: ChainEntry
    blocks: readonly Block[]
    purposes: readonly Purpose[]
  },
): Promise<Sighting[]> {
  const { serviceKey, entry, blocks, purposes } = given
  const recipients = blocks.flatMap((block) => block.transfers.map(({ to }) => to))
  if (recipients.length === 0) return []
  const asked = { scope: watchScope(entry), addresses: recipients }
  const watched = await matchAddresses(tx, serviceKey, asked)
  const arrivals: Omit<Sighting, 'netMovement'>[] = []
  for (const block of blocks) {
    for (const transfer of block.transfers) {
      const owner = watched.get(transfer.to)
      if (owner !== undefined) arrivals.push({ block, transfer, watched: owner })
    }
  }
  const received = entry.sharesAddresses
    ? await attributeArrivals(tx, { serviceKey, entry }, arrivals)
    : arrivals
  const sightings = received.filter(({ watched: { purpose } }) => purposes.includes(purpose))
  const hashes = [...new Set(sightings.map(({ transfer }) => transfer.txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  const outside = sightings.filter((sighting) => {
    const known = own.get(sighting.transfer.txnHash)
    return !isOwnTraffic(known) && !isChange(entry, sighting, known)
  })
  return withNet(outside, nativeTokenId(entry))
}

/** Where coins are spent, what a payment leaves of them returns to its organization. */
function isChange(
  entry: ChainEntry,
  { watched: { purpose, orgId } }: Pick<Sighting, 'watched'>,
  own: OwnTransaction | undefined,
): boolean {
  return entry.paymentModel === 'utxo' && purpose === 'settlement' && own?.orgId === orgId
}

/** The height from which on a transfer's coins can be spent; null: at once. */
export function maturityOf(
  { lockedFor }: Pick<Transfer, 'lockedFor'>,
  { height }: Pick<Block, 'height'>,
): number | null {
  return lockedFor === undefined ? null : height + lockedFor
}

function withNet(sightings: readonly Omit<Sighting, 'netMovement'>[], native: TokenId): Sighting[] {
  const paid = new Map<Block, Set<string>>()
  for (const { block, transfer } of sightings) {
    const addresses = paid.get(block) ?? new Set()
    paid.set(block, addresses.add(transfer.to))
  }
  const net = new Map([...paid].map(([block, to]) => [block, netOf(block, native, to)]))
  return sightings.map((one) => {
    const { to, tokenId, amount } = one.transfer
    const netMovement = net.get(one.block)?.get(movementKey(to, tokenId)) ?? amount
    return { ...one, netMovement }
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
