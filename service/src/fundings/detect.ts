import { type Watched, matchAddresses } from '../accounts/watch.ts'
import { assert } from '../base/assert.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { watchScope } from '../catalogue/scope.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Address, Block, Transfer } from '../chains/port.ts'
import { post } from '../ledger/post.ts'
import { fundingDetected } from '../ledger/spend-postings.ts'
import { ownTransactions } from '../spends/own.ts'
import { isOwnTraffic } from '../spends/spend.ts'
import type { Tx } from '../store/database.ts'
import { type Funding, placeOf } from './funding.ts'
import { movedOf, whereOf } from './moved.ts'
import { insertNew, lockByIdentity, reviveRow } from './rows.ts'

interface Sighting {
  block: Block
  transfer: Transfer
  watched: Watched
}

/**
 * Records the transfers of these blocks that reach settlement and gas addresses of ours from
 * outside: as new fundings, or as the return of one that a reorg had orphaned. Whatever our own
 * transactions move is booked with them and is none. Each is booked as unconfirmed. Answers with
 * what is new or returned.
 */
export async function detectFundings(
  tx: Tx,
  given: { catalogue: Catalogue; entry: ChainEntry; blocks: readonly Block[] },
): Promise<readonly Funding[]> {
  const sightings = await sightFundings(tx, given)
  if (sightings.length === 0) return []
  const seen = sightings.map((sighting) => draftFunding(tx, given, sighting))
  const fresh = await insertNew(tx, seen)
  const live = [...fresh, ...(await reviveOrphans(tx, { seen, fresh }))]
  await post(
    tx,
    live.map((funding) => fundingDetected(movedOf(funding), whereOf(funding))),
  )
  return live
}

async function sightFundings(
  tx: Tx,
  { entry, blocks }: { entry: ChainEntry; blocks: readonly Block[] },
): Promise<Sighting[]> {
  const recipients = blocks.flatMap((block) => block.transfers.map(({ to }) => to))
  if (recipients.length === 0) return []
  const watched = await matchAddresses(tx, watchScope(entry), recipients)
  const sightings = blocks.flatMap((block) =>
    block.transfers.flatMap((transfer): Sighting[] => {
      const owner = watched.get(transfer.to)
      const isHouse = owner !== undefined && owner.purpose !== 'deposit'
      return isHouse ? [{ block, transfer, watched: owner }] : []
    }),
  )
  const hashes = [...new Set(sightings.map(({ transfer }) => transfer.txnHash))]
  const own = await ownTransactions(tx, entry.id, hashes)
  return sightings.filter(({ transfer }) => !isOwnTraffic(own.get(transfer.txnHash)))
}

function draftFunding(
  tx: Tx,
  { catalogue, entry }: { catalogue: Catalogue; entry: ChainEntry },
  { block, transfer, watched }: Sighting,
): Funding {
  const { purpose, orgId, chainId } = watched
  assert(purpose !== 'deposit', 'a funding of a deposit address', { to: transfer.to })
  const { txnHash, position, tokenId, from, to, amount } = transfer
  const isNative = catalogue.nativeToken(entry.id).id === tokenId
  const now = tx.clock.now()
  return {
    orgId,
    id: tx.ids.next(),
    chainId: entry.id,
    txnHash,
    position,
    tokenId,
    address: to,
    purpose,
    place: placeOf({ purpose, isOwnChain: chainId === entry.id, isNative }),
    senderAddress: from === '' ? '' : displayAddress(entry.id, from),
    amount,
    netMovement: netMovement(block, { address: to, tokenId }),
    status: 'Detected',
    booked: 'unconfirmed',
    heldCause: '',
    cleared: false,
    block: { height: block.height, hash: block.hash },
    confirmedAt: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** What the block's transfers of a token brought to an address, less what they took from it. */
function netMovement(
  { transfers }: Block,
  { address, tokenId }: { address: Address; tokenId: string },
): bigint {
  let net = 0n
  for (const transfer of transfers) {
    if (transfer.tokenId !== tokenId) continue
    if (transfer.to === address) net += transfer.amount
    if (transfer.from === address) net -= transfer.amount
  }
  return net
}

/** Of those whose identity stood already: orphans return, a live one must be in this very block. */
async function reviveOrphans(
  tx: Tx,
  { seen, fresh }: { seen: readonly Funding[]; fresh: readonly Funding[] },
): Promise<Funding[]> {
  const inserted = new Set(fresh.map(identityKey))
  const known = new Map(
    seen.filter((one) => !inserted.has(identityKey(one))).map((one) => [identityKey(one), one]),
  )
  if (known.size === 0) return []
  const returned: Funding[] = []
  for (const standing of await lockByIdentity(tx, [...known.values()])) {
    const again = known.get(identityKey(standing))
    assert(again, 'a locked funding that was not asked for', { id: standing.id })
    if (standing.status === 'Orphaned') returned.push(await reviveRow(tx, standing.id, again))
    else {
      const sameBlock = standing.block.hash === again.block.hash
      assert(sameBlock, 'one funding live in two blocks', { standing, again: again.block })
    }
  }
  return returned
}

function identityKey({ chainId, txnHash, position, address, tokenId }: Funding): string {
  return [chainId, txnHash, position, address, tokenId].join(' ')
}
