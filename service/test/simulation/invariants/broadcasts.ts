import type { Heard } from '../chains/sim-chain.ts'
import type { View } from './view.ts'

/**
 * I6, I8 to I11, I15: each signed transaction, stored or received by a node, pays what was
 * requested, has enough valid approvals, conflicts with the others signed for the same payment, and
 * stays within its fee limit.
 */
export function checkBroadcasts(view: View, signed: readonly Heard[]): string[] {
  noteSigned(view)
  const { books } = view.world
  const wrongs: string[] = []
  for (const one of signed) {
    wrongs.push(...affordable(view, one))
    const payment = `${one.txnHash} ${one.reservation}`
    if (books.firstHeard.has(payment)) continue
    books.firstHeard.set(payment, books.event)
    wrongs.push(...consented(view, one))
    books.heard.push(one)
  }
  return [...wrongs, ...conflicts(view)]
}

function affordable(view: View, one: Heard): string[] {
  const { txnHash, chainId, maxFee } = one
  const chain = view.world.chains.find(({ id }) => id === chainId)
  if (chain === undefined) return [`N06: ${txnHash} was signed for ${chainId}`]
  return maxFee > chain.feeCap ? [`I15: ${txnHash} may cost ${maxFee}`] : []
}

/**
 * The event that signed the payment of a withdrawal: its approvers had to be allowed until then.
 */
function noteSigned({ picture, world: { books } }: View): void {
  for (const { org, reference, spend } of picture.withdrawals) {
    const key = `${org} ${reference}`
    if (spend !== null && !books.signedAt.has(key)) books.signedAt.set(key, books.event)
  }
}

/**
 * Checked on first sight only: a signed transaction may be rebroadcast after any change of rights.
 */
function consented(view: View, one: Heard): string[] {
  const { books } = view.world
  if (view.isOwn(one.to) && !isAsked(view, one)) return []
  const asked = [...books.asked.values()].find((each) => isSame(each, one))
  if (asked === undefined) return [`I6: ${one.txnHash} pays ${one.amount} to ${one.to}, unasked`]
  const wrongs = isTagged(one, asked) ? [] : [`I6: ${one.txnHash} names ${one.tag}`]
  if (isDear(view, one)) wrongs.push(`I15: ${one.txnHash} pays ${one.amount} for ${one.maxFee}`)
  const isFirst = books.heard.every((before) => !isSame(asked, before))
  if (!isFirst) return wrongs
  if (asked.isCalledOff) wrongs.push(`I11: ${asked.reference} was called off, and then signed`)
  const signed = books.signedAt.get(`${asked.orgId} ${asked.reference}`) ?? books.event
  const counted = [...asked.consents].filter((user) => !wasVoid(books, user, signed))
  if (counted.length < asked.required)
    wrongs.push(`I10: ${asked.reference} needs ${asked.required} and has ${counted.length}`)
  const humans = counted.filter((user) => isPerson(view, asked.orgId, user))
  const needed = books.humanSetting.get(asked.orgId) ?? peopleByDefault(asked)
  if (humans.length < needed)
    wrongs.push(`I10: ${asked.reference} needs ${needed} people and has ${humans.length}`)
  return wrongs
}

/** Zero if one approval is enough, else as many as approvals: there are never fewer signers. */
function peopleByDefault({ required }: { required: number }): number {
  return required === 1 ? 0 : required
}

/** A user that is not the API key of the organization. */
function isPerson({ world }: View, orgId: string, user: string): boolean {
  return world.stage.tenants.every((one) => one.orgId !== orgId || one.apiUserId !== user)
}

function wasVoid(books: View['world']['books'], user: string, signed: number): boolean {
  const at = books.voidSince.get(user)
  return at !== undefined && at < signed
}

function isAsked(view: View, one: Heard): boolean {
  return [...view.world.books.asked.values()].some((each) => isSame(each, one))
}

function isSame(
  asked: { tokenId: string; recipient: string; amount: bigint },
  one: Heard,
): boolean {
  return asked.tokenId === one.tokenId && asked.recipient === one.to && asked.amount === one.amount
}

/** On chains without tags a payment has no tag. */
function isTagged({ chainId, tag }: Heard, { memo }: { memo: string | null }): boolean {
  return !chainId.startsWith('xrpl:') || tag === memo
}

/** At most a tenth of a native payment on EVM may be spent on its fee. */
function isDear({ world }: View, { chainId, tokenId, amount, maxFee }: Heard): boolean {
  const chain = world.chain(chainId)
  return chainId.startsWith('eip155:') && tokenId === chain.native && maxFee * 10n > amount
}

/**
 * All transactions signed under one reservation pay the same. Transactions that pay the same share
 * one, or the earlier ones can never be included any more. Unspent outputs are reservations too.
 */
function conflicts(view: View): string[] {
  const { books } = view.world
  const pays = new Map<string, string>()
  const first = new Map<string, Heard>()
  const wrongs = new Set<string>()
  for (const one of books.heard) {
    const what = paidBy(one)
    const before = pays.get(one.reservation)
    if (before !== undefined && before !== what)
      wrongs.add(`I9: ${one.reservation} paid ${before}, then ${what}`)
    pays.set(one.reservation, what)
    if (!isAsked(view, one)) continue
    const earlier = first.get(what)
    if (earlier === undefined || books.over.has(earlier.txnHash)) first.set(what, one)
    else if (!conflict(view, earlier, one))
      wrongs.add(`I8: ${what} was signed as ${earlier.txnHash} and ${one.txnHash}`)
  }
  for (const one of first.values())
    if (view.world.chain(one.chainId).isOver(one)) books.over.add(one.txnHash)
  return [...wrongs, ...twiceSpent(view)]
}

/** Whether at most one of them can ever be included. */
function conflict({ world }: View, one: Heard, other: Heard): boolean {
  if (one.txnHash === other.txnHash || one.reservation === other.reservation) return true
  if (!one.chainId.startsWith('bip122:')) return false
  // After a reorg below a settled block an output may be lost permanently.
  if (world.books.isDeep) return true
  const coins = new Set(coinsOf(one))
  return coinsOf(other).some((coin) => coins.has(coin))
}

/**
 * I9: an output belongs to the payment that chose it first; every other spend of it pays the same.
 */
function twiceSpent(view: View): string[] {
  const { heard, isDeep } = view.world.books
  const wrongs = new Set<string>()
  const paid = new Map<string, Set<string>>()
  for (const one of heard) {
    if (!one.chainId.startsWith('bip122:') || !isAsked(view, one)) continue
    paid.set(one.txnHash, (paid.get(one.txnHash) ?? new Set()).add(paidBy(one)))
  }
  const spent = new Map<string, string>()
  for (const one of heard) {
    const now = paid.get(one.txnHash)
    if (now === undefined || isDeep) continue
    for (const coin of coinsOf(one)) {
      const before = paid.get(spent.get(coin) ?? '')
      if (before !== undefined && [...before].every((what) => !now.has(what)))
        wrongs.add(`I9: ${coin} paid ${[...before].join(' and ')}, then ${[...now].join(' and ')}`)
      spent.set(coin, one.txnHash)
    }
  }
  return [...wrongs]
}

function coinsOf({ from }: Heard): string[] {
  return from.split(' ')
}

function paidBy({ tokenId, to, amount }: Heard): string {
  return `${tokenId} ${to} ${amount}`
}
