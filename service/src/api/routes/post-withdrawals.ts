import { Outage, type Refusal } from '../../base/fault.ts'
import { hasTags, parseRecipient } from '../../chains/format-address.ts'
import type { Offers } from '../../withdrawals/request/check.ts'
import type { Creation } from '../../withdrawals/request/create.ts'
import { foresee } from '../../withdrawals/request/foresee.ts'
import { parseRequest, type WithdrawalRequest } from '../../withdrawals/request/parse-request.ts'
import { requestTogether } from '../../withdrawals/request/request-together.ts'
import type { Tx } from '../../store/database.ts'
import type { ServerMeans } from '../http/means.ts'
import { readOffers } from '../views/offers.ts'
import { route } from '../http/route.ts'
import { viewWithdrawal } from '../views/withdrawal-views.ts'

/**
 * Section 4.3. Refuses, in this order (decisions, 4), with BAD_REQUEST, INVALID_USER_ID,
 * DUPLICATE_REFERENCE, INVALID_CHAIN, CHAIN_NOT_ENABLED, INVALID_TOKEN, INVALID_TOKEN_CHAIN,
 * TOKEN_NOT_ENABLED, INVALID_AMOUNT, INVALID_RECIPIENT_ADDRESS, MISSING_DESTINATION_TAG,
 * WITHDRAWAL_BELOW_MINIMUM, WITHDRAWAL_ABOVE_MAXIMUM, INSUFFICIENT_BALANCE,
 * INSUFFICIENT_CONFIRMED_BALANCE and INSUFFICIENT_GAS.
 */
export const postWithdrawals = route('postWithdrawals', async (asked) => {
  const { database, serviceKey, catalogue, caller, body, setStatus } = asked
  const { orgId, userId: id, role } = caller
  const request = parseRequest(body)
  const [fee, needsTag, foreseen] = await Promise.all([
    askFee(asked, request),
    askTag(asked, request),
    askQuote(asked, { orgId, request }),
  ])
  const means = { database, serviceKey, offersOf }
  const given = {
    catalogue,
    orgId,
    initiator: { id, role },
    caller,
    request,
    fee,
    needsTag,
    foreseen,
  }
  const withdrawal = await requestTogether(means, given)
  setStatus(201)
  return { withdrawal: viewWithdrawal(withdrawal) }
})

/** Asked before the transaction. That no node says it is told only to whom nothing else is. */
async function askFee(
  { catalogue, feeBook }: Pick<ServerMeans, 'catalogue' | 'feeBook'>,
  { chainId, tokenId }: WithdrawalRequest,
): Promise<bigint | Outage | null> {
  const token = catalogue.token(tokenId)
  if (token === null || token.chainId !== chainId || !catalogue.isConfigured(chainId)) return null
  try {
    return await feeBook.feeOf(token.chainId, token.id)
  } catch (error) {
    if (error instanceof Outage) return error
    throw error
  }
}

/** Whether the chain would refuse the payment for its amount or recipient. */
async function askQuote(
  { database, catalogue, chains, capsOf }: ServerMeans,
  { orgId, request }: { orgId: string; request: WithdrawalRequest },
): Promise<Refusal | null> {
  const entry = catalogue.chain(request.chainId)
  const adapter = entry === null ? null : chains.get(entry.id)
  if (entry === null || adapter === null || capsOf === undefined) return null
  return foresee(database, { adapter, entry, caps: capsOf(entry), orgId, request })
}

/** Whether the recipient takes no payment without a tag; asked only where none is named. */
async function askTag(
  { catalogue, chains }: Pick<ServerMeans, 'catalogue' | 'chains'>,
  { chainId, recipient, memo }: WithdrawalRequest,
): Promise<boolean | Outage> {
  const entry = catalogue.chain(chainId)
  if (entry === null || !hasTags(entry.id) || memo !== null) return false
  const named = parseRecipient(entry, recipient)
  if (named === null || named.tag !== null) return false
  const adapter = chains.get(entry.id)
  if (adapter === null) return false
  try {
    return await adapter.requiresTag(named.address)
  } catch (error) {
    if (error instanceof Outage) return error
    throw error
  }
}

/** Where a chain was never reached nothing is verified yet, which is no setting of anybody's. */
async function offersOf(tx: Tx, { catalogue, orgId }: Creation): Promise<Offers> {
  const offers = await readOffers(tx, { catalogue, orgId })
  return {
    chain: (entry) => offers.chain(entry),
    isVerifying: (token) => offers.isVerifying(token),
    token: (token) =>
      offers.stateOf(token.chainId) === null ? offers.switchedOn(token) : offers.token(token),
  }
}
