import { describeBreak } from '../../../src/audit-log/audit-break.ts'
import { verifyAudit } from '../../../src/audit-log/verify-audit.ts'
import type { StoredWithdrawal } from '../picture.ts'
import type { SimWorld } from '../world.ts'

/**
 * I14: the stored blocks are those of the branch that ends in the tip. I17: the initiator, the
 * approvers and the canceller are in the audit log, and the log matches its seals.
 */
export async function checkRecords(world: SimWorld): Promise<string[]> {
  return [
    ...(await keptBlocks(world)),
    ...(await audited(world)),
    ...(await sealed(world)),
    ...fewer(world),
  ]
}

/** Events and log entries stay: the number of these rows never falls. */
function fewer({ books }: SimWorld): string[] {
  if (books.picture === null) return []
  const wrongs: string[] = []
  for (const [name, count] of Object.entries(books.picture.counts)) {
    const before = books.counted.get(name) ?? 0
    books.counted.set(name, count)
    if (count < before) wrongs.push(`I17: there were ${before} rows of ${name}, now ${count}`)
  }
  return wrongs
}

/** I17: each seal follows from the one before and from its entries, unless a thief changed them. */
async function sealed({ database, books }: SimWorld): Promise<string[]> {
  const { auditHeads, isLogForged } = books
  const { wrong } = await verifyAudit(database, { heads: auditHeads })
  if (wrong === null) return isLogForged ? ['I17: the forged log is not noticed'] : []
  return isLogForged ? [] : [`I17: ${describeBreak(wrong)}`]
}

async function keptBlocks({ looker, chains, books }: SimWorld): Promise<string[]> {
  const wrongs: string[] = []
  const kept = await looker.rows('select chain_id as chain, height::int, hash from blocks')
  for (const chain of chains) {
    const tip = books.picture?.chains.find(({ id }) => id === chain.id)
    const branch = tip === undefined ? null : chain.branch(tip.hash)
    if (branch === null) continue
    const hashes = new Map(kept.flatMap((one) => (one['chain'] === chain.id ? [keyed(one)] : [])))
    let left = hashes.size
    for (const { height, hash } of branch) {
      if (left === 0) break
      const stands = hashes.get(height)
      if (stands === undefined) continue
      left -= 1
      if (stands !== hash) wrongs.push(`I14: block ${height} is ${stands}, and its child's ${hash}`)
    }
    if (left > 0) wrongs.push(`I14: ${left} blocks of ${chain.id} are not below its tip`)
  }
  return wrongs
}

function keyed({ height, hash }: Record<string, unknown>): [number, string] {
  return [Number(height), String(hash)]
}

async function audited({ looker, books }: SimWorld): Promise<string[]> {
  const rows = await looker.rows(
    `select object as id, action, count(*)::int as times from audit_log
      where action like 'withdrawal.%' group by 1, 2`,
  )
  const times = new Map(
    rows.map((one) => [`${String(one['action'])} ${String(one['id'])}`, Number(one['times'])]),
  )
  const withdrawals = books.picture?.withdrawals ?? []
  const wrongs = created(withdrawals, times)
  for (const { id, status, reference } of withdrawals) {
    if (books.tampered.has(id)) continue
    const initiators = new Set(
      [...books.asked.values()].flatMap((one) =>
        one.reference === reference && one.id === id ? [...one.initiators] : [],
      ),
    )
    const approvals = (books.picture?.approvals ?? []).filter(
      (one) => one.withdrawal === id && !initiators.has(one.user),
    )
    if (initiators.size > 0 && approvals.length > (times.get(`withdrawal.approve ${id}`) ?? 0))
      wrongs.push(`I17: not each approval of ${reference} is in the audit log`)
    const off =
      (times.get(`withdrawal.cancel ${id}`) ?? 0) + (times.get(`withdrawal.reject ${id}`) ?? 0)
    if (off !== (status === 'Cancelled' ? 1 : 0))
      wrongs.push(`I17: ${reference} is ${status}, and ${off} times called off in the audit log`)
  }
  return wrongs
}

/**
 * The request is the first approval: each withdrawal has one such entry, a refused request has no
 * entry.
 */
function created(
  withdrawals: readonly StoredWithdrawal[],
  times: ReadonlyMap<string, number>,
): string[] {
  const wrongs: string[] = []
  const known = new Set(withdrawals.map(({ id }) => `withdrawal.create ${id}`))
  for (const { id, reference } of withdrawals) {
    const count = times.get(`withdrawal.create ${id}`) ?? 0
    if (count !== 1) wrongs.push(`I17: ${reference} was asked for ${count} times in the audit log`)
  }
  for (const key of times.keys())
    if (key.startsWith('withdrawal.create ') && !known.has(key))
      wrongs.push(`I17: the audit log has ${key}, and there is no such withdrawal`)
  return wrongs
}
