import type { Truth } from '../chains/sim-chain.ts'
import { scopeOf } from '../tokens.ts'
import type { ReadChain, View } from './view.ts'

/**
 * I5, I16: real deposits to accounts in the blocks read equal the live deposits: each once, with
 * amount and token, in its block, and Confirmed only with enough confirmations.
 */
export function checkDeposits(view: View): string[] {
  return view.read.flatMap((read) => [
    ...compare(view, read),
    ...depths(view, read),
    ...identities(view, read),
    ...owners(view, read),
    ...minimums(view, read),
  ])
}

function compare(view: View, read: ReadChain): string[] {
  const expected = count(expectedOn(view, read))
  const stored = [
    ...view.picture.deposits.filter(({ status }) => status !== 'Orphaned'),
    ...view.picture.fundings.filter(({ status }) => status !== 'Orphaned'),
    ...view.picture.unattributed.filter(({ state }) => state !== 'Assigned'),
  ]
    .filter(({ chain }) => chain === read.chain.id)
    .map(
      ({ hash, address, token, amount, block }) =>
        `${hash} ${address} ${token} ${amount} in ${block}`,
    )
  const found = count(stored)
  const wrongs: string[] = []
  for (const key of new Set([...expected.keys(), ...found.keys()])) {
    const [wanted, stands] = [expected.get(key) ?? 0, found.get(key) ?? 0]
    if (wanted === stands) continue
    const kind = read.chain.truthOf(key.split(' ')[0] ?? '')?.kind ?? 'no actor'
    wrongs.push(`I5: ${key}: ${stands} recorded, ${wanted} arrived (${kind})`)
  }
  return wrongs
}

function expectedOn(view: View, { chain, blocks, outgoing, blockOf }: ReadChain): string[] {
  const expected: string[] = []
  const from = view.world.books.startOf.get(chain.id) ?? 0
  for (const { height, hash, txns } of blocks) {
    if (height <= from) break
    for (const txn of txns)
      for (const { to, tokenId, amount } of chain.truthOf(txn)?.credits ?? [])
        if (view.isOwn(to) && chain.isListed(tokenId))
          expected.push(`${txn} ${to} ${tokenId} ${amount} in ${hash}`)
  }
  // A withdrawal that pays an account is an ordinary deposit there.
  const withdrawn = new Set(
    view.picture.spends.filter(({ purpose }) => purpose === 'withdrawal').map(({ id }) => id),
  )
  const bySpend = new Map(view.picture.signed.map(({ hash, spend }) => [hash, spend]))
  for (const { txnHash, to, tokenId, amount } of outgoing) {
    if (view.ownerOf(to)?.purpose !== 'deposit') continue
    if (!withdrawn.has(bySpend.get(txnHash) ?? '')) continue
    expected.push(`${txnHash} ${to} ${tokenId} ${amount} in ${blockOf.get(txnHash)?.hash ?? ''}`)
  }
  return expected
}

/**
 * Deposits below the minimum that wait at an account add up to less than the minimum. An end user
 * with accounts on two EVM chains can be paid at both addresses on either chain.
 */
function minimums({ picture, world }: View, { chain }: ReadChain): string[] {
  const sums = new Map<string, { token: string; sum: bigint }>()
  for (const { org, user, address, token, amount, status, chain: on } of picture.deposits) {
    if (on !== chain.id || status !== 'BelowMinimum') continue
    const key = `${user} of ${org} at ${address}, ${token}`
    sums.set(key, { token, sum: (sums.get(key)?.sum ?? 0n) + BigInt(amount) })
  }
  return [...sums]
    .filter(([, { token, sum }]) => sum >= (world.catalogue.token(token)?.minimumAmount ?? 1n))
    .map(([key, { sum }]) => `B06: ${sum} of ${key} still waits for more`)
}

/** Checked when it becomes Confirmed: the blocks on top may leave later. */
function depths({ picture, world }: View, { chain, tip, final }: ReadChain): string[] {
  const { confirmed, tips, undone } = world.books
  const highest = Math.max(tip.height, tips.get(chain.id) ?? 0, undone.get(chain.id) ?? 0)
  tips.set(chain.id, tip.height)
  undone.delete(chain.id)
  world.books.highest.set(chain.id, highest)
  const upTo = Math.max(highest - chain.required, final ?? -1)
  const wrongs: string[] = []
  for (const { id, hash, height, status, chain: on } of [
    ...picture.deposits,
    ...picture.fundings,
  ]) {
    if (on !== chain.id) continue
    const was = confirmed.has(id)
    if (status === 'Confirmed') confirmed.add(id)
    else confirmed.delete(id)
    const locked = chain.truthOf(hash)?.lockedFor
    const isEarly = locked !== undefined && height > highest - locked
    if (status === 'Confirmed' && !was && (height > upTo || isEarly))
      wrongs.push(`I5: ${hash} of ${height} is Confirmed at ${highest}`)
  }
  return wrongs
}

/**
 * A transfer has one record across reorgs, and a false transfer is never
 * credited.
 */
function identities({ picture }: View, { chain }: ReadChain): string[] {
  const wrongs: string[] = []
  const records = new Map<string, number>()
  for (const { hash, status, chain: on } of picture.deposits) {
    if (on !== chain.id) continue
    const truth = chain.truthOf(hash)
    records.set(hash, (records.get(hash) ?? 0) + 1)
    if (truth?.isFalse === true && status === 'Confirmed')
      wrongs.push(`E07: ${hash} was credited (${truth.kind})`)
  }
  for (const [hash, times] of records) {
    const credits = chain.truthOf(hash)?.credits.length ?? times
    if (times > credits) wrongs.push(`I5: ${hash} has ${times} records for ${credits} transfers`)
  }
  return wrongs
}

/**
 * The owner of a deposit: by its address, and by its tag if several share the address (X03, X04,
 * X14). The transfer may come over another chain than that of the account (E20).
 */
function owners({ picture, world }: View, { chain }: ReadChain): string[] {
  const wrongs: string[] = []
  for (const { hash, address, tag, chain: on } of picture.unattributed) {
    if (on === chain.id && !isNamed(chain.truthOf(hash), address, tag))
      wrongs.push(`X04: ${hash} is recorded with the tag ${tag}`)
    const isKnown = world.books.accounts.some((one) => one.address === address && one.tag === tag)
    if (on === chain.id && tag !== null && isKnown)
      wrongs.push(`X04: ${hash} has the tag ${tag}, but is unattributed`)
  }
  for (const { hash, chain: on } of picture.fundings) {
    const kind = on === chain.id ? (chain.truthOf(hash)?.kind ?? '') : ''
    if (/^X0[34]/.test(kind)) wrongs.push(`X03: ${hash} counts as the organization's own (${kind})`)
  }
  for (const { hash, address, user, org, chain: on } of picture.deposits) {
    if (on !== chain.id) continue
    const accounts = world.books.accounts.filter(
      (one) => one.orgId === org && one.user === user && scopeOf(one.chainId) === scopeOf(on),
    )
    const account = accounts.find((one) => one.address === address)
    const credits = chain.truthOf(hash)?.credits ?? []
    const tags = credits.filter(({ to }) => to === address).map(({ tag }) => tag)
    if (account !== undefined && tags.length > 0 && !tags.includes(account.tag))
      wrongs.push(`X04: ${hash} is the deposit of ${user}, and names ${tags.join(', ')}`)
    if (account === undefined && accounts.length > 0)
      wrongs.push(`I5: ${hash} to ${address} is the deposit of ${user}`)
  }
  return wrongs
}

/** Whether it has the address and tag of a real credit; true without a credit to compare (X01). */
function isNamed(truth: Truth | null, address: string, tag: number | null): boolean {
  if (truth === null || truth.credits.length === 0 || truth.kind.startsWith('X01')) return true
  return truth.credits.some((credit) => credit.to === address && credit.tag === tag)
}

function count(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
