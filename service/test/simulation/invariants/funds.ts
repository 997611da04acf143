import { larger } from '../../../src/base/amount.ts'
import type { StoredSpend } from '../picture.ts'
import { CATALOGUE } from '../tokens.ts'
import { isTaken } from './claims.ts'
import { subjectsOf } from './subjects.ts'
import type { View } from './view.ts'

/** The funds of an organization in a token for withdrawals and for fees; base units. */
interface Funds {
  /** Both together. */
  usable: bigint
  /** Fundings for fees that are not spent. */
  brought: bigint
  /** The upper limit of what is held in addition, for fees of open transactions. */
  heldMost: bigint
  /** The lower limit; negative if fees exceeded their holds. */
  heldLeast: bigint
}

/**
 * I1: available is the credited amount, less paid and open withdrawals, and less fees; funds for
 * fees are the fundings for them. Without a gas wallet, open withdrawals hold part of it for fees,
 * and the holds of closed withdrawals are returned.
 */
export function checkFunds(view: View): string[] {
  const funds = expectedFunds(view)
  const wrongs: string[] = []
  const stands = new Map<string, { available: bigint; gas: bigint }>()
  for (const { org, token, account, amount } of view.picture.balances) {
    if (account !== 'claim:available' && account !== 'claim:gas') continue
    const key = `${org} ${token}`
    const both = stands.get(key) ?? { available: 0n, gas: 0n }
    stands.set(key, both)
    both[account === 'claim:gas' ? 'gas' : 'available'] += BigInt(amount)
  }
  for (const key of new Set([...stands.keys(), ...funds.keys()])) {
    const { available, gas } = stands.get(key) ?? { available: 0n, gas: 0n }
    const wanted = funds.get(key) ?? NOTHING
    if (available + gas !== wanted.usable)
      wrongs.push(
        `I1: ${key}: ${available} are available and ${gas} for fees, not ${wanted.usable} together`,
      )
    const [least, most] = [wanted.brought + wanted.heldLeast, wanted.brought + wanted.heldMost]
    if (!view.world.books.isDeep && (gas < least || gas > most))
      wrongs.push(
        `I1: ${key}: ${gas} are for fees, not ${least}${least === most ? '' : ` to ${most}`}`,
      )
  }
  return wrongs
}

const NOTHING: Funds = { usable: 0n, brought: 0n, heldMost: 0n, heldLeast: 0n }

function expectedFunds(view: View): Map<string, Funds> {
  const { deposits, fundings, withdrawals, spends } = view.picture
  const funds = new Map<string, Funds>()
  const of = (org: string, token: string) => {
    const key = `${org} ${token}`
    const one = funds.get(key) ?? { ...NOTHING }
    funds.set(key, one)
    return one
  }
  for (const { org, token, booked, amount } of deposits)
    if (booked === 'available') of(org, token).usable += BigInt(amount)
  for (const { org, token, booked, amount, apart } of fundings) {
    if (booked !== 'available' && booked !== 'gas') continue
    const one = of(org, token)
    one.usable += BigInt(amount)
    one.brought += booked === 'gas' ? BigInt(amount) : BigInt(apart)
  }
  for (const row of withdrawals)
    if (isTaken(view, row)) of(row.org, row.token).usable -= BigInt(row.amount)
  for (const { org, chain, fee, block } of spends)
    if (fee !== null && block !== null) of(org, nativeOf(chain)).usable -= BigInt(fee)
  for (const { id } of view.world.chains) addFees(view, id, of)
  return funds
}

/** Fees paid, and holds for future fees. */
function addFees(view: View, chainId: string, of: (org: string, token: string) => Funds): void {
  const entry = CATALOGUE.chain(chainId)
  const native = nativeOf(chainId)
  if (entry === null) return
  const spends = view.picture.spends.filter(({ chain }) => chain === chainId)
  if (entry.hasGasWallets) {
    for (const { org, fee, block } of spends)
      if (fee !== null && block !== null) of(org, native).brought -= BigInt(fee)
    return
  }
  const held = new Map(view.picture.heldFees.map(({ id, amount }) => [id, BigInt(amount)]))
  const bySpend = new Set<string>()
  for (const spend of spends) {
    const paid = spend.block === null ? 0n : BigInt(spend.fee ?? 0n)
    const subjects = [spend.id, spend.subject, ...subjectsOf(view.picture, spend.id)]
    const ids = [...new Set(subjects)].filter((id) => !bySpend.has(id))
    for (const id of ids) bySpend.add(id)
    const rest = ids.reduce((sum, id) => sum + (held.get(id) ?? 0n), 0n) - paid
    const funds = of(spend.org, native)
    if (isOver(spend)) funds.heldLeast -= excess(view, spend, held)
    else if (rest < 0n) funds.heldLeast += rest
    else {
      // Holds of closed withdrawals stay while a signed payment relies on them.
      funds.heldMost += spend.block === null ? larger(rest, BigInt(spend.maxFee)) : rest
      funds.heldLeast += rest
    }
  }
  for (const { id, org, chain, status } of view.picture.withdrawals) {
    if (chain !== chainId || bySpend.has(id) || !WAITING.includes(status)) continue
    const funds = of(org, native)
    funds.heldMost += held.get(id) ?? 0n
    funds.heldLeast += held.get(id) ?? 0n
  }
}

const WAITING = ['PendingApproval', 'Pending']

/**
 * The part of a fee taken from the holds of others: the subjects of a transaction share it equally,
 * and if the hold of a subject is less than its share, the rest of another hold is still returned.
 */
function excess({ picture }: View, spend: StoredSpend, held: ReadonlyMap<string, bigint>): bigint {
  const together = subjectsOf(picture, spend.id)
  const ids = [...new Set([spend.id, spend.subject])]
  const alone = ids.reduce((sum, id) => sum + (held.get(id) ?? 0n), 0n)
  const shares = together.length === 0 ? [alone] : together.map((id) => held.get(id) ?? 0n)
  const paid = spend.block === null ? 0n : BigInt(spend.fee ?? 0n)
  const count = BigInt(shares.length)
  // One of them pays the indivisible remainder.
  const part = paid / count + (paid % count)
  return shares.reduce((sum, share) => sum + (share < part ? part - share : 0n), 0n)
}

function isOver({ state }: StoredSpend): boolean {
  return state === 'Settled' || state === 'Displaced'
}

function nativeOf(chainId: string): string {
  const entry = CATALOGUE.chain(chainId)
  return entry === null ? chainId : CATALOGUE.nativeToken(entry.id).id
}
