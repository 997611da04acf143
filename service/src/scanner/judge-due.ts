import type { ChainState } from '../catalogue/chain-state.ts'
import { readTokenChecks } from '../catalogue/token-check.ts'
import type { BlockRef } from '../chains/port.ts'
import type { Judged } from '../deposits/confirm.ts'
import type { Deposit } from '../deposits/deposit.ts'
import { dueDeposits } from '../deposits/due.ts'
import { expectedAt } from '../deposits/expected.ts'
import { type Evidence, type Question, judge, questionFor } from '../deposits/verdict.ts'
import type { Database } from '../store/database.ts'
import { isDisputed } from './dispute.ts'
import { selectHash } from './rows.ts'
import type { Watcher } from './watcher.ts'

interface Due {
  deposit: Deposit
  question: Question
  suspended: boolean
  /** Base units that the ledger places on the address at the deposit's block. */
  expected: bigint
  /** The hash before the deposit's block; null where we no longer keep it. */
  parentHash: string | null
}

/**
 * Finds the deposits that are confirmed at a tip and asks the chain's state about those that need a
 * second witness (engineering, 10). All questions are asked before the transaction that acts on the
 * answers; the same address, token and block are asked once. None are judged while the nodes
 * disagree about their blocks.
 */
export async function judgeDue(
  watcher: Watcher,
  { tip, final }: { tip: BlockRef; final: ChainState['final'] },
): Promise<Judged[]> {
  const due = await readDue(watcher.database, watcher, { tip, final })
  const last = due.at(-1)
  if (last === undefined || (await isDisputed(watcher, last.deposit.block))) return []
  const asked = new Map<string, Promise<Evidence>>()
  const judged: Judged[] = []
  for (const item of due) {
    const token = watcher.catalogue.token(item.deposit.tokenId)
    const { question } = item
    const key = `${item.deposit.block.hash} ${item.deposit.address} ${item.deposit.tokenId}`
    let evidence: Evidence | null = null
    if (question !== 'none' && !item.suspended) {
      const answer = asked.get(key) ?? askState(watcher, item)
      asked.set(key, answer)
      evidence = await answer
    }
    const source = token?.source ?? 'operator'
    const verdict = judge({
      deposit: item.deposit,
      question,
      evidence,
      token: { source, suspended: item.suspended },
    })
    judged.push({ deposit: item.deposit, verdict })
  }
  return judged
}

async function readDue(
  database: Database,
  { entry, required, catalogue }: Watcher,
  { tip, final }: { tip: BlockRef; final: ChainState['final'] },
): Promise<Due[]> {
  return database.transaction(async (tx) => {
    const deposits = await dueDeposits(tx, { entry, required, tip, final })
    if (deposits.length === 0) return []
    const checks = await readTokenChecks(tx)
    const suspended = new Set(
      checks.filter(({ suspendedAt }) => suspendedAt !== null).map(({ tokenId }) => tokenId),
    )
    const due: Due[] = []
    const hashes = new Map<number, string | null>()
    for (const deposit of deposits) {
      const { tokenId, block } = deposit
      const native = catalogue.token(tokenId)?.native ?? false
      const question = questionFor(deposit, { native })
      const below = block.height - 1
      if (question === 'movement' && !hashes.has(below)) {
        hashes.set(below, await selectHash(tx, { chainId: entry.id, height: below }))
      }
      due.push({
        deposit,
        question,
        suspended: suspended.has(tokenId),
        expected: question === 'coverage' ? await expectedAt(tx, deposit) : 0n,
        parentHash: hashes.get(below) ?? null,
      })
    }
    return due
  })
}

async function askState(
  { adapter }: Watcher,
  { deposit, question, expected, parentHash }: Due,
): Promise<Evidence> {
  const { address, tokenId, block } = deposit
  const after = await adapter.balanceOf(address, tokenId, block)
  if (question === 'coverage' || after === null) return { before: null, after, expected }
  const hash = parentHash ?? (await adapter.hashAt(block.height - 1))
  if (hash === null) return { before: null, after, expected }
  const parent = { height: block.height - 1, hash }
  const before = await adapter.balanceOf(address, tokenId, parent)
  return { before, after, expected }
}
