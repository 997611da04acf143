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
export const EPOCH_SECONDS = 946_684_800
const COIN_TYPE = '144'

/** XRP, the only money that is credited: `slip44:144` (section 2.1). */
export function nativeTokenId(chainId: ChainId): TokenId {
  return formatTokenId({ chainId, assetNamespace: 'slip44', assetReference: COIN_TYPE })
}

/**
 * A ledger as the scanner needs it: every growth of an account's balance is one transfer. Only what
 * may concern us is decoded. Where the balances of an account do not follow from each other over
 * the transactions of the ledger it is an Outage: the sum of what is told is what the account
 * gained.
 */
export function toBlock(chainId: ChainId, ledger: Ledger, scope: BlockScope): Block {
  const mayWatch = rememberAnswers(scope.mayWatch ?? (() => true))
  // An address is a text with a checksum, and dear to make: its bytes are asked for, if they can.
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
 * What a transaction brought to accounts that are watched, or out of them to whom it names. One
 * that failed brings nothing: it costs its fee (X05).
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
    // What cannot be told apart from what was promised is nobody's until somebody has looked.
    const tag = isDoubtful(deed, amount) ? null : change.tag
    return [{ txnHash, position: 'tx', tokenId: nativeTokenId(chainId), from, to, amount, tag }]
  })
}

/** What an account gained, its own fee not counted. */
function gainOf({ sender, fee }: Deed, { address, before, after }: Change): bigint {
  return after - before + (address === sender ? fee : 0n)
}

/** Where the ledger, or the node, states what was delivered, and it is not what arrived. */
function isDoubtful({ delivered }: Deed, amount: bigint): boolean {
  return delivered === 'unavailable' || (delivered !== null && delivered !== amount)
}

function outcomeOf({ txnHash, succeeded, sender, sequence, fee }: Deed): TransactionOutcome {
  return { txnHash, succeeded, sender, nonce: sequence, fee }
}

/** Each transaction must find the balance as the one before it left it. */
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
