import { scannerLease } from '../../../src/scanner/run.ts'
import type { Picture } from '../picture.ts'
import type { SimWorld } from '../world.ts'

/**
 * W23: a process that paused while another took its lease signs nothing afterwards, and moves no
 * tip.
 */
export async function checkFencing(
  world: SimWorld,
  { woken, before, now }: { woken: string | null; before: Picture | null; now: Picture },
): Promise<string[]> {
  if (woken === null || before === null) return []
  const leases = await world.looker.rows('select name, holder from leases')
  const holders = new Map(leases.map(({ name, holder }) => [String(name), String(holder)]))
  const isOut = (office: string) => (holders.get(office) ?? woken) !== woken
  const signed = new Set(before.signed.map(({ hash }) => hash))
  const chainOf = new Map(now.spends.map(({ id, chain }) => [id, chain]))
  const fresh = now.signed.filter(
    ({ hash, spend }) => !signed.has(hash) && isOut(`spender:${chainOf.get(spend) ?? ''}`),
  )
  const moved = now.chains.filter(
    ({ id, hash }) =>
      isOut(scannerLease(id)) && before.chains.some((was) => was.id === id && was.hash !== hash),
  )
  return [
    ...fresh.map(({ hash }) => `W23: ${woken} signed ${hash} in an office that it had lost`),
    ...moved.map(({ id }) => `W23: ${woken} moved ${id} in an office that it had lost`),
  ]
}
