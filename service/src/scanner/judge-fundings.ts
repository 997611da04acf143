import type { ChainState } from '../catalogue/chain-state.ts'
import { readSuspended } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Recorded } from '../deposits/twin.ts'
import { judge, questionFor } from '../deposits/verdict.ts'
import type { JudgedFunding } from '../fundings/confirm.ts'
import { dueFundings, expectedOf } from '../fundings/due.ts'
import type { Funding } from '../fundings/funding.ts'
import { selectLogsBeside } from '../fundings/rows.ts'
import { isDisputed } from './dispute.ts'
import { FORGOTTEN, forgottenAmong } from './forgotten.ts'
import { type Asked, UNREAD, parentHashes } from './ask-state.ts'
import { sourceOf, witness } from './judge-due.ts'
import { withoutDuplicate } from './one-money.ts'
import type { Watcher } from './watcher.ts'

interface Due extends Asked {
  funding: Funding
  /** Fundings by logs at its address and in its block; it is one of them. */
  recorded: Recorded[]
  suspended: boolean
  isForgotten: boolean
}

/**
 * Finds the fundings that are confirmed at a tip, and judges them by the same rules and witnesses
 * as deposits (engineering, 8 and 10).
 */
export async function judgeFundings(
  watcher: Watcher,
  at: { tip: BlockRef; final: ChainState['final'] },
): Promise<JudgedFunding[]> {
  const due = await readDue(watcher, at)
  const last = due.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.funding.block))) return []
  const judging = due.map(async (item): Promise<JudgedFunding[]> => {
    const { funding, question, suspended, recorded } = item
    if (item.isForgotten) return [{ funding, verdict: FORGOTTEN }]
    const isAsked = question !== 'none' && !suspended
    const evidence = isAsked ? await witness(watcher, { ...item, deposit: funding }) : UNREAD
    if (evidence === null) return []
    const token = { source: sourceOf(watcher, funding), suspended }
    const verdict = judge({ deposit: funding, question, evidence, token })
    const asking = { arrived: funding, recorded, verdict }
    return [{ funding, verdict: await withoutDuplicate(watcher, asking) }]
  })
  return (await Promise.all(judging)).flat()
}

async function readDue(
  { database, serviceKey, entry, required, catalogue, watched }: Watcher,
  { tip, final }: { tip: BlockRef; final: ChainState['final'] },
): Promise<Due[]> {
  return database.transaction(async (tx) => {
    const fundings = await dueFundings(tx, { entry, required, tip, final })
    if (fundings.length === 0) return []
    const suspended = await readSuspended(tx)
    const forgotten = await forgottenAmong(tx, { serviceKey, entry, watched }, fundings)
    const asked = fundings.map((funding) => {
      const native = catalogue.token(funding.tokenId)?.native ?? false
      return { funding, deposit: funding, question: questionFor(funding, { native }) }
    })
    const hashes = await parentHashes(tx, entry, asked)
    const logs = fundings.filter(({ position }) => position.startsWith('log:'))
    const recorded = await selectLogsBeside(tx, { chainId: entry.id, logs })
    const due: Due[] = []
    for (const { funding, deposit, question } of asked) {
      due.push({
        funding,
        deposit,
        question,
        recorded: question === 'movement' ? recorded : [],
        suspended: suspended.has(funding.tokenId),
        isForgotten: forgotten.has(funding.id),
        expected: question === 'coverage' ? await expectedOf(tx, funding) : 0n,
        parentHash: hashes.get(funding.block.height - 1) ?? null,
      })
    }
    return due
  })
}
