import { placedOn } from '../ledger/placed-on.ts'
import type { FinalBalances, SettledBalance } from '../chains/chain-adapter.ts'
import type { BlockRef } from '../chains/port.ts'
import { isOurBlock } from '../scanner/our-block.ts'
import type { Tx } from '../store/database.ts'
import type { Auditor } from './auditor.ts'
import { type Question, readExpectations } from './expectations.ts'
import { type Compared, type Expectation, isDifference } from './finding.ts'

/** Concurrent queries of a node. */
const QUESTIONS_MAX = 8

/** A balance and the answer of a node; null if the contract does not answer like a token. */
interface Told {
  expectation: Expectation
  settled: SettledBalance | null
}

type SettledAuditor = Auditor & { adapter: FinalBalances }

/**
 * Compares the ledger with the chain at the final block of the answering node. The ledger is read
 * afterwards, at the block of the answer, so later blocks and pending transactions make no
 * difference. Each difference is queried twice, because one of the machines behind a URL may lag.
 * Balances at a block that we do not have yet are left uncompared.
 */
export async function compareSettled(
  auditor: SettledAuditor,
  question: Question,
): Promise<Compared> {
  const { tip, expectations } = await readExpectations(auditor, question)
  if (tip === null) return { tip, comparisons: [], left: expectations }
  const first = await compareOnce(auditor, expectations)
  const doubted = first.comparisons.filter(isDifference)
  if (doubted.length === 0) return first
  const second = await compareOnce(auditor, doubted)
  return {
    tip: second.tip ?? first.tip,
    comparisons: [...first.comparisons.filter((one) => !isDifference(one)), ...second.comparisons],
    left: [...first.left, ...second.left],
  }
}

async function compareOnce(
  auditor: SettledAuditor,
  expectations: readonly Expectation[],
): Promise<Compared> {
  const told = await askAll(auditor, expectations)
  const blocks = new Map(
    told.flatMap(({ settled }) => (settled ? [[settled.at.hash, settled.at]] : [])),
  )
  return auditor.database.snapshot(async (tx) => {
    const compared: Compared = { tip: null, comparisons: [], left: [] }
    const silent = told.filter(({ settled }) => settled === null)
    compared.left.push(...silent.map(({ expectation }) => expectation))
    for (const at of blocks.values()) {
      const there = told.filter(({ settled }) => settled?.at.hash === at.hash)
      await compareAt(tx, auditor, { at, told: there, compared })
    }
    return compared
  })
}

/** Queries in order of importance. */
async function askAll(
  { adapter }: SettledAuditor,
  expectations: readonly Expectation[],
): Promise<readonly Told[]> {
  const told: Told[] = []
  const questions = expectations.values()
  const ask = async () => {
    for (const expectation of questions) {
      const { address, tokenId } = expectation
      const settled = await adapter.settledBalance(address, tokenId)
      told.push({ expectation, settled })
    }
  }
  await Promise.all(Array.from({ length: QUESTIONS_MAX }, ask))
  return told
}

async function compareAt(
  tx: Tx,
  { entry }: Auditor,
  { at, told, compared }: { at: BlockRef; told: readonly Told[]; compared: Compared },
): Promise<void> {
  const chainId = entry.id
  if (!(await isOurBlock(tx, { chainId, block: at }))) {
    compared.left.push(...told.map(({ expectation }) => expectation))
    return
  }
  const addresses = told.map(({ expectation }) => expectation)
  const placed = await placedOn(tx, { chainId, addresses, height: at.height })
  for (const { expectation, settled } of told) {
    const { address, tokenId } = expectation
    const expected = placed.get(address)?.get(tokenId) ?? 0n
    const found = settled?.amount ?? 0n
    compared.comparisons.push({ ...expectation, expected, found, height: at.height })
  }
  if (compared.tip === null || at.height > compared.tip.height) compared.tip = at
}
