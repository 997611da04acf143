import { raiseAlert } from '../../alerts/raise-alert.ts'
import { CLAIM, isPlace, parsePlace } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import { post } from '../../ledger/post.ts'
import type { Posting } from '../../ledger/posting.ts'
import type { Tx } from '../../store/database.ts'

/**
 * Posts what a block shows to have left an address of ours. If the ledger places less there, the
 * rest arrived unseen: it is first posted as unattributed, with an alert. The chain's facts are
 * never refused, because that would stop the scanner.
 */
export async function postShown(tx: Tx, posting: Posting): Promise<void> {
  const { orgId, chainId, tokenId, credit, amount } = posting
  const unseen = amount - (await readBalance(tx, { orgId, chainId, tokenId, account: credit }))
  if (isPlace(credit) && unseen > 0n) {
    await bookUnseen(tx, { ...posting, amount: unseen, debit: credit })
  }
  await post(tx, [posting])
}

async function bookUnseen(tx: Tx, found: Posting): Promise<void> {
  const { debit, tokenId, amount, referenceId, chainId, orgId } = found
  if (!isPlace(debit)) return
  const { address } = parsePlace(debit)
  const posting = { ...found, credit: CLAIM.unattributed, reason: 'place.unseen' }
  // The amount arrived before the block, in no transaction of ours.
  await post(tx, [{ ...posting, reversal: false, blockHeight: null }])
  await raiseAlert(tx, {
    code: 'ledger.difference',
    subject: `${tokenId} ${address}`,
    message:
      `${amount} base units of ${tokenId} left ${address}, ` +
      'but the ledger had placed less there.',
    details: { orgId, chainId, referenceId },
  })
}
