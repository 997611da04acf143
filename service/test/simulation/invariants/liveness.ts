import { UNWITNESSED } from '../../../src/deposits/verdict.ts'
import type { Picture } from '../picture.ts'
import { EVM_ROGUE } from '../tokens.ts'
import type { SimWorld } from '../world.ts'

/** Chains whose nodes answer current balances only, and whose tokens of ours are honest. */
export function isAudited(chainId: string): boolean {
  return chainId.startsWith('tron:')
}

/** Every token of the simulation but one moves the amount it reports. */
function isHonest(tokenId: string): boolean {
  return !tokenId.toLowerCase().endsWith(EVM_ROGUE)
}

/** I19: work that should have ended. */
export async function leftOver(world: SimWorld): Promise<string[]> {
  const { books, chains, looker } = world
  const wrongs: string[] = []
  const { picture } = books
  if (picture === null) return ['the database was never read']
  for (const chain of chains) {
    const state = picture.chains.find(({ id }) => id === chain.id)
    if (state?.hash !== chain.head().hash)
      wrongs.push(
        `I19: ${chain.id} is ${state?.condition}, at ${state?.height} of ${chain.head().height}`,
      )
  }
  const halted = await looker.rows('select address from senders where halted_at is not null')
  const isHalted = new Set(halted.map(({ address }) => String(address)))
  wrongs.push(...uncredited(world, picture))
  for (const { id, reference, status, waiting } of picture.withdrawals) {
    if (books.tampered.has(id)) continue
    if (status === 'Pending' && waiting === null)
      wrongs.push(`I19: ${reference} is still Pending, and waits for nothing`)
    if (status === 'Processing') wrongs.push(`I19: ${reference} is still Processing`)
  }
  for (const { subject, purpose, state, sender } of picture.spends)
    if (['Sent', 'Included'].includes(state) && !isHalted.has(sender))
      wrongs.push(`I19: the ${purpose} ${subject} is still ${state}`)
  if (wrongs.length > 0) {
    const open = await looker.rows('select code, message from alerts where resolved_at is null')
    for (const { code, message } of open) wrongs.push(`open: ${String(code)} ${String(message)}`)
    const said = await looker.rows(
      `select t.txn_hash, t.number, t.broadcasts, t.last_answer, t.terms
         from spend_transactions t join spends s on s.id = t.spend_id where s.state = 'Sent'`,
    )
    for (const row of said) wrongs.push(`said: ${JSON.stringify(row)}`)
  }
  const late = await looker.rows(`select event_id from deliveries where state = 'pending'`)
  if (late.length > 0) wrongs.push(`I19: ${late.length} events are still to be delivered`)
  const delivered = await looker.rows(
    `select event_id as id from deliveries where state = 'delivered'`,
  )
  for (const { id } of delivered)
    if (!books.received.has(String(id)))
      wrongs.push(`I13: ${String(id)} counts as delivered and never came`)
  const failed = await looker.rows(`select event_id from deliveries where state = 'failed'`)
  const isFailed = new Set(failed.map((one) => String(one['event_id'])))
  for (const { id, atLeast } of books.resent)
    if (!isFailed.has(id) && (books.received.get(id)?.times ?? 0) < atLeast)
      wrongs.push(`I13: ${id} was to be delivered once more, and never came again`)
  if (isHalted.size > 0) wrongs.push(`I19: ${isHalted.size} senders are halted`)
  return wrongs
}

/** Deposits that were not credited although no rule forbids it. */
function uncredited(world: SimWorld, picture: Picture): string[] {
  const { chains } = world
  const wrongs: string[] = []
  for (const { hash, status, cause, token, chain: on } of picture.deposits) {
    const isLocked = chains.find(({ id }) => id === on)?.truthOf(hash)?.lockedFor !== undefined
    if (status === 'Detected' && !isLocked)
      wrongs.push(`I19: ${hash} of ${token} is still Detected`)
    // Without the old state of nodes no witness proves what moved, and no audit is played.
    if (status === 'Held' && isHonest(token) && (isAudited(on) || cause !== UNWITNESSED))
      wrongs.push(`E07: ${hash} of ${token}, an honest token, is still Held: ${cause}`)
  }
  for (const { hash, status, cause, token } of picture.fundings) {
    if (status === 'Detected') wrongs.push(`I19: funding ${hash} is still Detected`)
    // An operator releases it, not an audit.
    if (status === 'Held' && isHonest(token) && cause !== UNWITNESSED)
      wrongs.push(`E07: funding ${hash} of ${token}, an honest token, is still Held`)
  }
  return wrongs
}
