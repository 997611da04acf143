import type { TokenId } from '@sluice/wire'
import { readOwnAddress } from '../accounts/own-address.ts'
import { Refusal } from '../base/fault.ts'
import { readChainState } from '../catalogue/chain-state.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import type { Catalogue } from '../catalogue/find.ts'
import type { ChainAdapter, SettledBalance } from '../chains/chain-adapter.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import { writeAudit } from '../audit-log/write-audit.ts'
import { CLAIM, place } from '../ledger/account.ts'
import { placedOn } from '../ledger/placed-on.ts'
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

/** Balance of a gas wallet on the chain and in the ledger at the same block; base units. */
export interface Corrected {
  address: Address
  ledger: bigint
  chain: bigint
}

/**
 * Posts the difference between a gas wallet's balance on the chain and in the ledger, on an
 * operator's word: its key was used elsewhere, or a transfer is visible in no block. Compares at
 * our tip or, if the nodes answer only for their final block, at that block. Audit-logged; posts
 * nothing if both agree. Refuses with INVALID_CHAIN if there is no gas wallet, BAD_REQUEST if the
 * missing amount is not gas but owed to clients, and SERVICE_UNAVAILABLE if no node knows the state
 * or a new block arrived.
 */
export async function correctGas(
  database: Database,
  adapter: ChainAdapter,
  correction: Correction,
): Promise<Corrected> {
  const { entry, catalogue, orgId } = correction
  const chainId = entry.id
  const seen = await database.snapshot((tx) => look(tx, correction))
  const { address } = seen
  const native = catalogue.nativeToken(chainId).id
  const held = await readHeld(adapter, { address, native, tip: seen.tip })
  if (held === null) throw again(`No node knows the state at block ${seen.tip.height}.`)
  const { amount: chain, at } = held
  return database.transaction(async (tx) => {
    const { tip } = await look(tx, correction)
    const isKnown = at === seen.tip ? tip.hash === at.hash : tip.height >= at.height
    if (!isKnown) throw again('A new block arrived meanwhile.')
    const addresses = [{ orgId, address }]
    const placed = await placedOn(tx, { chainId, addresses, height: at.height })
    const corrected = { address, ledger: placed.get(address)?.get(native) ?? 0n, chain }
    if (chain !== corrected.ledger) await book(tx, correction, { ...corrected, at })
    return corrected
  })
}

/** Balance of an address at our tip or, if no node answers for it, at a final block. */
async function readHeld(
  adapter: ChainAdapter,
  { address, native, tip }: { address: Address; native: TokenId; tip: BlockRef },
): Promise<SettledBalance | null> {
  if (adapter.balancesAt === 'final-block') return adapter.settledBalance(address, native)
  const amount = await adapter.balanceOf(address, native, tip)
  return amount === null ? null : { amount, at: tip }
}

async function look(
  tx: Tx,
  { entry, orgId }: Correction,
): Promise<{ address: Address; tip: BlockRef }> {
  const chainId = entry.id
  const address = await readOwnAddress(tx, { orgId, chainId, purpose: 'gas' })
  const state = await readChainState(tx, chainId)
  if (address === null || state === null) {
    const says = `The organization has no gas wallet on ${chainId}.`
    throw new Refusal('INVALID_CHAIN', { providedChainId: chainId }, says)
  }
  return { address, tip: state.tip }
}

async function book(
  tx: Tx,
  { entry, catalogue, orgId, actor, reason }: Correction,
  { address, ledger, chain, at }: Corrected & { at: BlockRef },
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
    blockHeight: at.height,
  }
  try {
    await post(tx, [posting])
  } catch (error) {
    if (!(error instanceof Overdrawn)) throw error
    const says =
      'More is missing than the gas claim holds: the rest is owed to the settlement account.'
    throw new Refusal('BAD_REQUEST', { missing: (ledger - chain).toString() }, says)
  }
  const details = { reason, ledger: ledger.toString(), chain: chain.toString(), address }
  await writeAudit(tx, { orgId, actor, action: 'gas.correct', object: entry.id, details })
}

function again(says: string): Refusal {
  return new Refusal('SERVICE_UNAVAILABLE', {}, `${says} Try again.`)
}
