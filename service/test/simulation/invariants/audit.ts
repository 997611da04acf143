import type { ChainReport } from '../../../src/audit/run.ts'
import type { SimWorld } from '../world.ts'
import { holdingsOn } from './holdings.ts'
import { type ReadChain, View } from './view.ts'

/**
 * I2 as `sluice audit` reports it: it lists exactly the addresses whose ledger differs from the
 * chain, which is known here to the base unit.
 */
export async function checkAudit(world: SimWorld): Promise<string[]> {
  const { picture } = world.books
  if (picture === null) return []
  const view = new View(world, picture)
  const wrongs: string[] = []
  for (const read of view.read) {
    const report = await world.settled(world.instance(0).audit(read.chain.id))
    if (report !== null) wrongs.push(...judge(view, read, report))
  }
  return wrongs
}

function judge(view: View, read: ReadChain, report: ChainReport): string[] {
  const { balances, comparisons, findings } = report
  const apart = holdingsOn(view, read).filter(({ placed, held }) => placed !== held)
  const known = new Set(
    apart.map((one) => lineOf({ ...one, expected: one.placed, found: one.held })),
  )
  const told = new Set(findings.map(lineOf))
  const left = balances - comparisons
  return [
    ...(left === 0 ? [] : [`I2: the audit of ${read.chain.id} left out ${left} of ${balances}`]),
    ...[...told].filter((line) => !known.has(line)).map((line) => `I2: the audit lists ${line}`),
    ...[...known].filter((line) => !told.has(line)).map((line) => `I2: no audit lists ${line}`),
  ]
}

function lineOf(one: { address: string; tokenId: string; expected: bigint; found: bigint }) {
  const { address, tokenId, expected, found } = one
  return `${found} of ${tokenId} on ${address}, ${expected} in the ledger`
}
