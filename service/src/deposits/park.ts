import type { RowVerifier } from '../accounts/row-mac.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import { displayAddress } from '../chains/format-address.ts'
import type { Block } from '../chains/port.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import { post } from '../ledger/post.ts'
import { parked } from '../ledger/posting.ts'
import type { Tx } from '../store/database.ts'
import { type Sighting, sightTransfers } from './sight.ts'
import type { Unattributed } from './unattributed.ts'
import { insertUnattributed } from './unattributed-rows.ts'

/**
 * Records what reached a base account and names nobody whom we know (X03, X04): booked under the
 * claim `unattributed`, told to operators, credited to nobody. To see it again changes nothing.
 * Answers with what is new.
 */
export async function parkTransfers(
  tx: Tx,
  given: {
    serviceKey: RowVerifier
    catalogue: Catalogue
    entry: ChainEntry
    blocks: readonly Block[]
  },
): Promise<readonly Unattributed[]> {
  const sightings = await sightTransfers(tx, { ...given, purposes: ['unattributed'] })
  if (sightings.length === 0) return []
  const fresh = await insertUnattributed(
    tx,
    sightings.map((sighting) => draft(tx, given.entry, sighting)),
  )
  await post(tx, fresh.map(parked))
  for (const one of fresh) await tell(tx, given.catalogue, one)
  return fresh
}

function draft(tx: Tx, { id: chainId }: ChainEntry, sighting: Sighting): Unattributed {
  const { block, transfer, watched, netMovement } = sighting
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

async function tell(tx: Tx, catalogue: Catalogue, one: Unattributed): Promise<void> {
  const { symbol } = catalogue.summary(one.tokenId)
  const what = one.tag === null ? 'no tag' : `the tag ${one.tag}, which no genuine account has`
  await raiseAlert(tx, {
    code: 'deposit.unattributed',
    subject: one.id,
    message:
      `${one.amount} base units of ${symbol} reached ${one.address} with ${what}: ` +
      '`sluice deposit unattributed` lists what is nobody’s.',
    details: { chainId: one.chainId, txnHash: one.txnHash, orgId: one.orgId },
  })
}
