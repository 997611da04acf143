import { type ChainEntry, depositPlace } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { post } from '../ledger/post.ts'
import type { Tx } from '../store/database.ts'
import type { Match } from './match.ts'
import { unattributedPosting } from './postings.ts'
import type { Unattributed } from './unattributed.ts'
import { insertUnattributed } from './unattributed-rows.ts'

/**
 * Records the transfers to a base account without a known tag (X03, X04): books them under the
 * claim `unattributed`, and raises an alert for each new one. A recorded one is not changed.
 */
export async function parkTransfers(
  tx: Tx,
  {
    catalogue,
    entry,
    matches,
  }: { catalogue: Catalogue; entry: ChainEntry; matches: readonly Match[] },
): Promise<void> {
  const unknown = matches.filter(({ watched }) => watched.purpose === 'unattributed')
  if (unknown.length === 0) return
  const drafts = unknown.map((match) => draft(tx, entry, match))
  const fresh = await insertUnattributed(tx, drafts)
  const at = { purpose: 'deposit', place: depositPlace(entry.id) } as const
  await post(
    tx,
    fresh.map((parked) => unattributedPosting({ ...parked, ...at })),
  )
  for (const parked of fresh) await raiseUnattributed(tx, catalogue, parked)
}

function draft(tx: Tx, { id: chainId }: ChainEntry, match: Match): Unattributed {
  const { block, transfer, watched, netMovement } = match
  const { txnHash, position, tokenId, from, to, amount, tag } = transfer
  return {
    orgId: watched.orgId,
    id: tx.ids.next(),
    chainId,
    txnHash,
    position,
    tokenId,
    address: to,
    tag,
    senderAddress: from === '' ? '' : displayAddress(chainId, from),
    amount,
    netMovement,
    block: { height: block.height, hash: block.hash },
    state: 'Waiting',
    externalUserId: '',
    proposedBy: '',
    assignedBy: '',
    depositId: null,
    createdAt: tx.clock.now(),
  }
}

async function raiseUnattributed(
  tx: Tx,
  catalogue: Catalogue,
  parked: Unattributed,
): Promise<void> {
  const { symbol } = catalogue.summary(parked.tokenId)
  const tag =
    parked.tag === null ? 'no tag' : `the tag ${parked.tag}, which no authentic account has`
  await raiseAlert(tx, {
    code: 'deposit.unattributed',
    orgId: parked.orgId,
    subject: parked.id,
    message:
      `${parked.amount} base units of ${symbol} reached ${parked.address} with ${tag}: ` +
      '`sluice deposit unattributed` lists all unattributed transfers.',
    details: { chainId: parked.chainId, txnHash: parked.txnHash, orgId: parked.orgId },
  })
}
