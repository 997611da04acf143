import { formatTokenId } from '@sluice/wire'
import type { ChainId, TokenId } from '@sluice/wire'
import type { Address, Block, BlockScope, TransactionOutcome, Transfer } from '../port.ts'
import { addressOfId } from './address.ts'
import { entryOf } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import { idsNamed, readDeed } from './moves.ts'
import type { Change, Deed } from './moves.ts'
import { demand } from './read.ts'

type MayWatch = NonNullable<BlockScope['mayWatch']>

/** Seconds from 1970 to the ledger's own epoch, the year 2000. */
const EPOCH_SECONDS = 946_684_800
const COIN_TYPE = '144'

/** XRP, the only money that is credited: `slip44:144` (section 2.1). */
export function nativeTokenId(chainId: ChainId): TokenId {
  return formatTokenId({ chainId, assetNamespace: 'slip44', assetReference: COIN_TYPE })
}

/**
 * Converts a ledger for the scanner: each increase of an account's balance is one transfer. Only
 * transactions that may concern us are decoded. An Outage if the balances of an account do not
 * connect over the transactions of the ledger, so the reported sum is exactly what the account
 * gained.
 */
export function toBlock(chainId: ChainId, ledger: Ledger, scope: BlockScope): Block {
  const mayWatch = rememberAnswers(scope.mayWatch ?? (() => true))
  // An address is a text with a checksum and slow to encode, so its bytes are looked up if
  // possible.
  const { mayWatchBytes = (id) => mayWatch(addressOfId(id)) } = scope
  const mayWatchId = rememberAnswers((id: string) => mayWatchBytes(Buffer.from(id, 'hex')))
  const deeds = ledger.leaves
    .filter(({ meta }) => scope.mayWatch === undefined || idsNamed(meta).some(mayWatchId))
    .map((leaf) => readDeed(entryOf(leaf)))
    .sort((a, b) => a.rank - b.rank)
  checkBalances(deeds, mayWatch)
  return {
    height: ledger.height,
    hash: ledger.hash,
    parentHash: ledger.parentHash,
    time: (ledger.closeTime + EPOCH_SECONDS) * 1_000,
    transfers: deeds.flatMap((deed) => transfersOf(chainId, deed, mayWatch)),
    transactions: deeds.filter(({ sender }) => mayWatch(sender)).map(outcomeOf),
  }
}

/**
 * The gains of watched accounts in a transaction, and payments out of them. A failed transaction
 * only costs its fee (X05).
 */
export function transfersOf(chainId: ChainId, deed: Deed, mayWatch: MayWatch): Transfer[] {
  if (!deed.succeeded) {
    const gained = deed.changes.filter((change) => gainOf(deed, change) > 0n)
    demand(!gained.some(({ address }) => mayWatch(address)), 'a gain by a failed transaction')
    return []
  }
  return deed.changes.flatMap((change) => {
    const amount = gainOf(deed, change)
    const { address: to, from } = change
    if (amount <= 0n || !(mayWatch(to) || (from !== '' && mayWatch(from)))) return []
    const { txnHash } = deed
    // A payment that may differ from its claim is unattributed until an operator has decided.
    const tag = isDoubtful(deed, amount) ? null : change.tag
    return [{ txnHash, position: 'tx', tokenId: nativeTokenId(chainId), from, to, amount, tag }]
  })
}

/** The gain of an account, without its own fee. */
function gainOf({ sender, fee }: Deed, { address, before, after }: Change): bigint {
  return after - before + (address === sender ? fee : 0n)
}

/** The stated delivered amount if it differs from the gain. */
function isDoubtful({ delivered }: Deed, amount: bigint): boolean {
  return delivered === 'unavailable' || (delivered !== null && delivered !== amount)
}

function outcomeOf({ txnHash, succeeded, sender, sequence, fee }: Deed): TransactionOutcome {
  return { txnHash, succeeded, sender, nonce: sequence, fee }
}

/** Each transaction must continue from the balance that the one before it left. */
function checkBalances(deeds: readonly Deed[], mayWatch: MayWatch): void {
  const standing = new Map<Address, bigint>()
  for (const { changes } of deeds) {
    for (const { address, before, after } of changes) {
      if (!mayWatch(address)) continue
      const expected = standing.get(address) ?? before
      demand(expected === before, 'balances that do not follow from each other')
      standing.set(address, after)
    }
  }
}

function rememberAnswers<K>(ask: (key: K) => boolean): (key: K) => boolean {
  const answers = new Map<K, boolean>()
  return (key) => {
    const answer = answers.get(key) ?? ask(key)
    answers.set(key, answer)
    return answer
  }
}
