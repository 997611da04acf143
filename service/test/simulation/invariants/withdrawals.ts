import type { Asked } from '../books.ts'
import type { StoredWithdrawal } from '../picture.ts'
import { spendsOf } from './subjects.ts'
import type { ReadChain, View } from './view.ts'

/** I7: the status changes of a withdrawal, including several steps at once. */
const FORWARD: Readonly<Record<string, readonly string[]>> = {
  PendingApproval: ['Pending', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  // Approvals that became void send it back.
  Pending: ['PendingApproval', 'Processing', 'Completed', 'Failed', 'Cancelled'],
  Processing: ['Completed', 'Failed'],
  Completed: [],
  Failed: [],
  Cancelled: [],
}

/** I6, I7, I11, I12: withdrawals match the chains and the requests. */
export function checkWithdrawals(view: View): string[] {
  const { books } = view.world
  const wrongs: string[] = []
  const payments = paymentsIn(view)
  for (const row of view.picture.withdrawals) {
    const asked = books.asked.get(`${row.org} ${row.reference}`)
    if (asked === undefined) wrongs.push(`I12: unknown withdrawal ${row.reference}`)
    else wrongs.push(...sameAsAsked(view, row, asked))
    wrongs.push(...namesItsOwn(view, row))
    wrongs.push(...wentForward(view, row))
    const read = view.read.find(({ chain }) => chain.id === row.chain)
    if (read !== undefined) wrongs.push(...outcome(view, row, read, payments))
  }
  wrongs.push(...onlyAsked(view), ...onlyConsented(view))
  return wrongs
}

type Payments = ReadonlyMap<string, readonly { txnHash: string; height: number }[]>

/** Payments of settlement addresses in the blocks read, with sender and amount. */
function paymentsIn(view: View): Payments {
  const payments = new Map<string, { txnHash: string; height: number }[]>()
  for (const { chain, outgoing } of view.read)
    for (const { txnHash, to, tokenId, amount, height } of outgoing) {
      const key = `${chain.id} ${tokenId} ${to} ${amount}`
      payments.set(key, [...(payments.get(key) ?? []), { txnHash, height }])
    }
  return payments
}

function sameAsAsked({ world }: View, row: StoredWithdrawal, asked: Asked): string[] {
  if (world.books.tampered.has(row.id)) return []
  const same =
    row.chain === asked.chainId &&
    row.token === asked.tokenId &&
    BigInt(row.amount) === asked.amount &&
    row.recipient === asked.recipient &&
    (row.memo ?? null) === asked.memo
  const wrongs = same ? [] : [`I6: ${row.reference} is not what was asked for`]
  if (asked.isCalledOff && row.status !== 'Cancelled')
    wrongs.push(`I11: ${row.reference} was called off and is ${row.status}`)
  return wrongs
}

/** W18: the hash shown to users is the last signed or the included one. */
function namesItsOwn({ world, picture }: View, row: StoredWithdrawal): string[] {
  if (row.status !== 'Processing' || world.books.tampered.has(row.id)) return []
  const spend = picture.spends.find(({ id }) => id === row.spend)
  if (spend?.hash === row.hash) return []
  return [`W18: ${row.reference} names ${row.hash ?? 'nothing'}, its spend ${spend?.hash ?? ''}`]
}

function wentForward({ world }: View, { id, status, reference }: StoredWithdrawal): string[] {
  const { statuses, tampered } = world.books
  const before = statuses.get(id)
  statuses.set(id, status)
  if (before === undefined || before === status || tampered.has(id)) return []
  if (FORWARD[before]?.includes(status)) return []
  return [`I7: ${reference} went from ${before} to ${status}`]
}

function outcome(view: View, row: StoredWithdrawal, read: ReadChain, payments: Payments): string[] {
  const { world, picture } = view
  const { chain, tip, final } = read
  const { status, reference, token, recipient, amount } = row
  const paid = payments.get(`${row.chain} ${token} ${recipient} ${amount}`) ?? []
  const wrongs: string[] = []
  if (paid.length > 1) wrongs.push(`I6: ${reference} was paid ${paid.length} times`)
  const mayRefuse = chain.mayRefuse({ recipient, amount: BigInt(amount) })
  if (status === 'Failed' && row.failure === 'RECIPIENT_REFUSES' && !mayRefuse)
    wrongs.push(`I7: ${reference} failed: its recipient accepts it`)
  if (world.books.isDeep) return wrongs
  if (status === 'Failed') wrongs.push(...stillAlive(view, row, read))
  // Blocks on top may leave later: the confirmations count when it becomes Completed.
  const highest = world.books.highest.get(chain.id) ?? tip.height
  const isNews = status === 'Completed' && !world.books.judged.has(row.id)
  if (isNews) world.books.judged.add(row.id)
  const upTo = isNews ? Math.max(highest - chain.required, final ?? -1) : highest
  const isStanding = paid.some(({ height }) => height <= upTo)
  if (status === 'Completed' && !isStanding && !isUndone(picture, row))
    wrongs.push(`I6: ${reference} is Completed and was not paid at ${tip.height}`)
  if ((status === 'Cancelled' || status === 'Failed') && paid.length > 0)
    wrongs.push(`I6: ${reference} is ${status} and was paid`)
  if ((status === 'Pending' || status === 'PendingApproval') && paid.length > 0)
    wrongs.push(`I6: ${reference} is ${status} and was paid`)
  return wrongs
}

/**
 * I7: each transaction signed for a failed withdrawal failed in a block, or can never be included.
 */
function stillAlive({ world, picture }: View, row: StoredWithdrawal, read: ReadChain): string[] {
  const ids = new Set(spendsOf(picture, row.id).map(({ id }) => id))
  const hashes = new Set(
    picture.signed.filter(({ spend }) => ids.has(spend)).map(({ hash }) => hash),
  )
  return world.books.heard
    .filter(({ txnHash }) => hashes.has(txnHash) && !read.blockOf.has(txnHash))
    .filter((one) => !read.chain.isDead(one))
    .map(({ txnHash }) => `I7: ${row.reference} is Failed, and ${txnHash} may still pay`)
}

/** A reorg removed its block after it was Completed: the same bytes are pending again. */
function isUndone(picture: View['picture'], { id }: StoredWithdrawal): boolean {
  return spendsOf(picture, id).some(({ state }) => state !== 'Settled')
}

/**
 * Only requested payments leave the organization's addresses; within them funds may move freely.
 */
function onlyAsked(view: View): string[] {
  const asked = new Set(
    [...view.world.books.asked.values()].map(
      ({ chainId, tokenId, recipient, amount }) => `${chainId} ${tokenId} ${recipient} ${amount}`,
    ),
  )
  return view.read.flatMap(({ chain, outgoing }) =>
    outgoing
      .filter(({ to, tokenId, amount }) => {
        const inside = view.isOwn(to)
        return !inside && !asked.has(`${chain.id} ${tokenId} ${to} ${amount}`)
      })
      .map(({ txnHash, to, amount }) => `I6: ${txnHash} paid ${amount} to ${to}, unasked`),
  )
}

/** I10: each approver of a withdrawal has consented to it. */
function onlyConsented({ picture, world }: View): string[] {
  const { asked, tampered } = world.books
  const byId = new Map(
    [...asked.values()].flatMap((one) => (one.id === null ? [] : [[one.id, one]])),
  )
  return picture.approvals.flatMap(({ withdrawal, user, voided }) => {
    const one = byId.get(withdrawal)
    const isFine = voided || tampered.has(withdrawal) || one === undefined
    if (isFine || one.consents.has(user)) return []
    return [`I10: ${user} approves ${one.reference} without consent`]
  })
}
