import type { Intent, Quote } from '../port.ts'
import { refuseQuote } from '../refuse-quote.ts'
import type { Refused } from '../refuse-quote.ts'
import { feeCapOf } from '../spending.ts'
import type { FeeCaps } from '../spending.ts'
import { readFee, termsWithin } from './fees.ts'
import { letsIn } from './let-in.ts'
import { FLAG, readAccount, readServer } from './node.ts'
import type { AccountState, ServerState } from './node.ts'
import type { XrplRpc } from './rpc.ts'

/** The ledger's facts about a payment before it is made. */
interface Prospect {
  intent: Intent
  caps: FeeCaps
  server: ServerState
  fee: bigint
  /** Null if the account does not exist. */
  sender: AccountState | null
  recipient: AccountState | null
}

/**
 * Queries one node whether a payment would succeed and its cost; reserves nothing. Reserves, flags
 * and fee are current ones (X12, X13). Refusals as in `QuoteRefusal`.
 */
export async function quoteSpend(rpc: XrplRpc, intent: Intent, caps: FeeCaps): Promise<Quote> {
  const validated = { ledger_index: 'validated' } as const
  const [server, fee, sender, recipient] = await Promise.all([
    readServer(rpc),
    readFee(rpc),
    readAccount(rpc, intent.from, validated),
    readAccount(rpc, intent.to, validated),
  ])
  const prospect = { intent, caps, server, fee, sender, recipient }
  return (await refusalOf(rpc, prospect)) ?? priceOut(prospect)
}

/** Base units that an account must keep. */
function reserveOf({ reserveBase, reserveStep }: ServerState, ownerCount: number): bigint {
  return reserveBase + reserveStep * BigInt(ownerCount)
}

/** Why the recipient would not receive it; null if nothing prevents it. */
async function refusalOf(
  rpc: XrplRpc,
  { intent, recipient, server }: Prospect,
): Promise<Refused | null> {
  const { amount, memo, from, to } = intent
  if (amount === 0n && from === to) return null
  if (recipient === null) {
    const required = server.reserveBase
    if (amount >= required) return null
    const says = 'the recipient has no account yet, and the amount is less than its reserve'
    return refuseQuote('RECIPIENT_REFUSES', says, { amount, required })
  }
  const has = (flag: number) => (recipient.flags & flag) !== 0
  if (has(FLAG.requireDestTag) && memo === null)
    return refuseQuote('RECIPIENT_REFUSES', 'the recipient takes no payment without a tag', {})
  if (has(FLAG.depositAuth) && !(await letsIn(rpc, { intent, recipient, server })))
    return refuseQuote('RECIPIENT_REFUSES', 'the recipient takes no payment it has not allowed', {})
  if (has(FLAG.disallowXrp))
    return refuseQuote('RECIPIENT_REFUSES', 'the recipient wants no XRP', {})
  return null
}

function priceOut({ intent, caps, server, fee, sender }: Prospect): Quote {
  const cap = feeCapOf(intent, caps)
  const terms = termsWithin(fee, server.validated.height, cap)
  if (terms === null) {
    return refuseQuote('FEE_TOO_HIGH', 'the fee of the moment is above its cap', { fee, cap })
  }
  const { amount, tickets = 0 } = intent
  const kept = sender === null ? 0n : reserveOf(server, sender.ownerCount + tickets)
  const over = (sender?.balance ?? 0n) - kept
  const available = over > 0n ? over : 0n
  // A fee may be paid out of the reserve if nothing else is.
  const held = amount === 0n && tickets === 0 ? (sender?.balance ?? 0n) : available
  const required = amount + terms.fee
  if (held >= required) return { ok: true, terms }
  const says = 'the account must keep its reserve, and holds too little above it'
  return refuseQuote('INSUFFICIENT_BALANCE', says, { available: held, required, reserve: kept })
}
