import { matchAddresses } from '../accounts/watch.ts'
import type { ChainState } from '../catalogue/chain-state.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Block, BlockRef, Transfer } from '../chains/port.ts'
import { CONFIRM_BATCH_MAX, confirmedHeight } from '../deposits/due.ts'
import { NOTHING_WITNESSED, type Witnessed, movementKey } from '../deposits/confirm-immediately.ts'
import type { Evidence } from '../deposits/verdict.ts'
import { isDisputed } from './dispute.ts'
import { UNREAD, askState } from './ask-state.ts'
import type { Watcher } from './watcher.ts'

/** A transfer that may be to an address of ours, as a movement. */
interface Arrival {
  address: Transfer['to']
  tokenId: Transfer['tokenId']
  block: BlockRef
  parentHash: string
}

/**
 * Queries the chain about deposits in blocks that have their confirmations already in the run that
 * brings them (engineering, 10), so that one commit records and credits them. That commit finds the
 * receivers and any other doubt. Queries nothing while the nodes disagree about these blocks.
 */
export async function witnessRun(
  watcher: Watcher,
  { blocks, final }: { blocks: readonly Block[]; final: ChainState['final'] },
): Promise<Witnessed> {
  const { entry, required, catalogue } = watcher
  const tip = blocks.at(-1)
  // Only the commit knows the receiver of a tag, and the owner of spent coins.
  const isPlain = !entry.sharesAddresses && entry.paymentModel !== 'utxo'
  if (tip === undefined || !isPlain) return NOTHING_WITNESSED
  const upTo = confirmedHeight({ rule: entry.finality, required, tip, final })
  const arrivals = await arrivalsIn(
    watcher,
    blocks.filter(({ height }) => height <= upTo),
  )
  const last = arrivals.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.block))) return NOTHING_WITNESSED
  const asked = new Map<string, Promise<Evidence>>()
  for (const arrival of arrivals) {
    if (asked.size === CONFIRM_BATCH_MAX) break
    const key = movementKey(arrival)
    if (asked.has(key) || (catalogue.token(arrival.tokenId)?.native ?? true)) continue
    if (watcher.adapter.balancesAt === 'final-block') {
      // The nodes answer only for their final block, which a later run reaches.
      asked.set(key, Promise.resolve(UNREAD))
      continue
    }
    const question = { transfer: arrival, question: 'movement', expected: 0n } as const
    asked.set(key, askState(watcher, { ...question, parentHash: arrival.parentHash }))
  }
  const answers = [...asked].map(async ([key, answer]) => [key, await answer] as const)
  return { upTo, movements: new Map(await Promise.all(answers)) }
}

async function arrivalsIn(watcher: Watcher, blocks: readonly Block[]): Promise<Arrival[]> {
  const all = blocks.flatMap((block) =>
    block.transfers.map(({ to: address, tokenId }) => ({
      address,
      tokenId,
      block: { height: block.height, hash: block.hash },
      parentHash: block.parentHash,
    })),
  )
  if (all.length === 0) return []
  const { watched, database, serviceKey, entry } = watcher
  if (watched !== undefined) return all.filter(({ address }) => watched.mayWatch(address))
  const asked = { scope: watchScope(entry), addresses: all.map(({ address }) => address) }
  const ours = await database.transaction((tx) => matchAddresses(tx, serviceKey, asked))
  return all.filter(({ address }) => ours.has(address))
}
