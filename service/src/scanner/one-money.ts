import type { TokenId } from '@sluice/wire'
import { Outage } from '../base/fault.ts'
import { parseAddress } from '../chains/format-address.ts'
import type { Address, BlockRef } from '../chains/port.ts'
import type { IncomingTransfer } from '../deposits/deposit.ts'
import { type Recorded, duplicateCause, earlierTwins } from '../deposits/twin.ts'
import { UNWITNESSED, type Verdict } from '../deposits/verdict.ts'
import { KnownBalances } from './known-balances.ts'
import type { Watcher } from './watcher.ts'

type Asking = Pick<Watcher, 'adapter' | 'known' | 'catalogue'>
type Arrived = Pick<
  IncomingTransfer,
  'id' | 'chainId' | 'tokenId' | 'address' | 'netMovement' | 'block' | 'senderAddress' | 'cleared'
>

/**
 * Holds a transfer that would be credited, or that the audit could release, if it is the second
 * record of one movement: an earlier log of another token moved the same amount into the address in
 * this block, and both contracts report the same balances (docs/decisions/0026). A transfer that an
 * operator released is credited. Throws an Outage if the balances change during the comparison.
 */
export async function withoutDuplicate(
  asking: Asking,
  { arrived, recorded, verdict }: { arrived: Arrived; recorded: Recorded[]; verdict: Verdict },
): Promise<Verdict> {
  const isOpen = verdict.credit || verdict.cause === UNWITNESSED
  if (!isOpen || arrived.cleared) return verdict
  for (const other of earlierTwins(arrived, recorded)) {
    if (!(await isOneMoney(asking, arrived, other))) continue
    return { credit: false, cause: duplicateCause(other), suspendToken: false }
  }
  return verdict
}

/** Whether two contracts report the same supply, and the same balances of recipient and sender. */
async function isOneMoney(asking: Asking, arrived: Arrived, other: TokenId): Promise<boolean> {
  const { adapter, known = new KnownBalances() } = asking
  const { chainId, tokenId, address, block, senderAddress } = arrived
  const sender = parseAddress(chainId, senderAddress)
  const compare = (read: (id: TokenId) => Promise<bigint | null>) =>
    areEqual(chainId, [tokenId, other], read)
  const compareHeld = async (holder: Address): Promise<boolean | null> => {
    const at = (ref: BlockRef) => (id: TokenId) =>
      known.ask(adapter, holder, { tokenId: id, at: ref })
    const then = await compare(at(block))
    return then ?? compare((id) => adapter.balanceOf(holder, id, 'head'))
  }
  if ((await compareHeld(address)) !== true) return false
  if (sender !== null && (await compareHeld(sender)) === false) return false
  return (await compare((id) => adapter.supplyOf(id))) !== false
}

/** Null if a contract does not answer. Reads the first balance twice to detect a change. */
async function areEqual(
  what: string,
  [first, second]: readonly [TokenId, TokenId],
  read: (id: TokenId) => Promise<bigint | null>,
): Promise<boolean | null> {
  const [before, other] = [await read(first), await read(second)]
  if (before === null || other === null) return null
  if (before === other) return true
  if ((await read(first)) !== before) throw new Outage(what, 'a balance changed while it was read')
  return false
}
