import type { Heard } from '../chains/sim-chain.ts'
import type { View } from './view.ts'

/**
 * I6, I8 to I11, I15: whatever reached a node was stored before, pays what was asked for, was
 * consented to by enough who may, conflicts with what else was signed for the same, and costs no
 * more than it may.
 */
export function checkBroadcasts(view: View, heard: readonly Heard[]): string[] {
  const wrongs = heard.flatMap((one) => [...stored(view, one), ...consented(view, one)])
  view.world.books.heard.push(...heard)
  return [...wrongs, ...conflicts(view)]
}

function stored(view: View, one: Heard): string[] {
  const wrongs: string[] = []
  const { txnHash, chainId, maxFee } = one
  if (!view.picture.signed.some(({ hash }) => hash === txnHash))
    wrongs.push(`W08: ${txnHash} was broadcast and is not stored`)
  const chain = view.world.chains.find(({ id }) => id === chainId)
  if (chain === undefined) return [...wrongs, `N06: ${txnHash} was signed for ${chainId}`]
  if (maxFee > chain.feeCap) wrongs.push(`I15: ${txnHash} may cost ${maxFee}`)
  return wrongs
}

/** Only when it is heard for the first time: what was signed may go out again whatever changes. */
function consented(view: View, one: Heard): string[] {
  const { books } = view.world
  if (view.isOwn(one.to) && !isAsked(view, one)) return []
  if (books.firstHeard.has(one.txnHash)) return []
  books.firstHeard.set(one.txnHash, books.event)
  const asked = [...books.asked.values()].find((each) => isSame(each, one))
  if (asked === undefined) return [`I6: ${one.txnHash} pays ${one.amount} to ${one.to}, unasked`]
  const wrongs: string[] = []
  const isFirst = books.heard.every((before) => before === one || !isSame(asked, before))
  if (!isFirst) return []
  if (asked.isCalledOff) wrongs.push(`I11: ${asked.reference} was called off, and then signed`)
  const signedBefore = books.event - 1
  const counted = [...asked.consents].filter((user) => !wasVoid(books, user, asked, signedBefore))
  if (counted.length < asked.required)
    wrongs.push(`I10: ${asked.reference} needs ${asked.required} and has ${counted.length}`)
  return wrongs
}

function wasVoid(
  books: View['world']['books'],
  user: string,
  asked: { initiator?: string },
  since: number,
): boolean {
  const at = books.voidSince.get(user)
  return at !== undefined && at < since && asked.initiator !== user
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

/** All that was signed under one reservation pays the same; what pays the same shares one. */
function conflicts(view: View): string[] {
  const pays = new Map<string, string>()
  const under = new Map<string, string>()
  const wrongs = new Set<string>()
  for (const one of view.world.books.heard) {
    const what = `${one.tokenId} ${one.to} ${one.amount}`
    const before = pays.get(one.reservation)
    if (before !== undefined && before !== what)
      wrongs.add(`I9: ${one.reservation} paid ${before}, then ${what}`)
    pays.set(one.reservation, what)
    if (!isAsked(view, one) || view.world.chain(one.chainId).mayRebuild) continue
    const first = under.get(what)
    if (first !== undefined && first !== one.reservation && !isGivenUp(view, one))
      wrongs.add(`I8: ${what} was signed under ${first} and ${one.reservation}`)
    under.set(what, one.reservation)
  }
  return [...wrongs]
}

/** None is: a withdrawal is signed under one reservation for ever. */
function isGivenUp(_view: View, _one: Heard): boolean {
  return false
}
