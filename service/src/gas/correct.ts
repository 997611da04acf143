import { readOwnAddress } from '../accounts/own-address.ts'
import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { writeAudit } from '../journal/write-audit.ts'
import { CLAIM, place } from '../ledger/account.ts'
import { readBalance } from '../ledger/balance.ts'
import { Overdrawn, post } from '../ledger/post.ts'
import type { Database, Tx } from '../store/database.ts'

/** Which gas wallet, and on whose word. */
export interface Correction {
  catalogue: Catalogue
  entry: ChainEntry
  orgId: string
  actor: string
  reason: string
}

/** What a gas wallet held and what the ledger said, at the same block; base units. */
export interface Corrected {
  address: Address
  ledger: bigint
  chain: bigint
}

/**
 * Books what a gas wallet holds more or less than the ledger says, as an operator's word: somebody
 * used its key elsewhere, or sent coins in a way that no block shows. Audit-logged. Nothing is
 * booked where both agree. Refuses with INVALID_CHAIN where there is no gas wallet, BAD_REQUEST
 * where what is missing is not gas but clients' money that was to be given back, and
 * SERVICE_UNAVAILABLE where the node no longer knows the state or a block came in between.
 */
export async function correctGas(
  database: Database,
  adapter: Pick<ChainAdapter, 'balanceOf'>,
  given: Correction,
): Promise<Corrected> {
  const { entry, catalogue } = given
  const seen = await database.snapshot((tx) => look(tx, given))
  const native = catalogue.nativeToken(entry.id).id
  const chain = await adapter.balanceOf(seen.address, native, seen.tip)
  if (chain === null) throw again(`No node knows the state at block ${seen.tip.height}.`)
  const { address, ledger } = seen
  if (chain !== ledger) {
    await database.transaction(async (tx) => {
      const now = await look(tx, given)
      if (now.ledger !== ledger || now.tip.hash !== seen.tip.hash) throw again('A block came.')
      await book(tx, given, { address, ledger, chain, tip: seen.tip })
    })
  }
  return { address, ledger, chain }
}

async function look(
  tx: Tx,
  { entry, catalogue, orgId }: Correction,
): Promise<{ address: Address; ledger: bigint; tip: BlockRef }> {
  const chainId = entry.id
  const address = await readOwnAddress(tx, { orgId, chainId, purpose: 'gas' })
  const state = await readChainState(tx, chainId)
  if (address === null || state === null) {
    const says = `The organization has no gas wallet on ${chainId}.`
    throw new Refusal('INVALID_CHAIN', { providedChainId: chainId }, says)
  }
  const tokenId = catalogue.nativeToken(chainId).id
  const account = place('gas', address)
  const ledger = await readBalance(tx, { orgId, chainId, tokenId, account })
  return { address, ledger, tip: state.tip }
}

async function book(
  tx: Tx,
  { entry, catalogue, orgId, actor, reason }: Correction,
  { address, ledger, chain, tip }: Corrected & { tip: BlockRef },
): Promise<void> {
  const isMore = chain > ledger
  const account = place('gas', address)
  const posting = {
    orgId,
    chainId: entry.id,
    tokenId: catalogue.nativeToken(entry.id).id,
    debit: isMore ? account : CLAIM.gas,
    credit: isMore ? CLAIM.gas : account,
    amount: isMore ? chain - ledger : ledger - chain,
    reason: 'gas.corrected',
    reversal: false,
    referenceId: tx.ids.next(),
    blockHeight: tip.height,
  }
  try {
    await post(tx, [posting])
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    const says = 'More is missing than may be spent on gas: the rest is owed to the settlement.'
    throw new Refusal('BAD_REQUEST', { missing: (ledger - chain).toString() }, says)
  }
  const details = { reason, ledger: ledger.toString(), chain: chain.toString(), address }
  await writeAudit(tx, { orgId, actor, action: 'gas.correct', object: entry.id, details })
}

function again(says: string): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', {}, `${says} Try again.`)
}
