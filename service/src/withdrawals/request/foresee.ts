import { readOwnAddress } from '../../accounts/own-address.ts'
import { parseAmount } from '../../base/amount.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import { type ChainEntry, nativeTokenId } from '../../catalogue/chains.ts'
import { canonicalTokenId, parseRecipient } from '../../chains/format-address.ts'
import type { ChainAdapter } from '../../chains/chain-adapter.ts'
import type { Quote } from '../../chains/port.ts'
import type { FeeCaps } from '../../chains/spending.ts'
import type { Database } from '../../store/database.ts'
import type { WithdrawalRequest } from './parse-request.ts'

/** A request for the native currency of a chain, and what may be paid for its transaction. */
export interface Foreseen {
  adapter: Pick<ChainAdapter, 'quote'>
  entry: ChainEntry
  caps: FeeCaps
  orgId: string
  request: WithdrawalRequest
}

/** Basis points in one percent, and in the whole. */
const PERCENT = 100
const WHOLE = 10_000n

/**
 * The refusal of a payment that the chain would refuse at this moment for its amount or its
 * recipient: WITHDRAWAL_BELOW_MINIMUM if `feePercent` of the amount does not pay the network fee
 * (with `fee` and `feeCap`), or if the recipient's account does not exist and the amount is less
 * than its reserve; INVALID_RECIPIENT_ADDRESS if the recipient takes no payment. Null otherwise,
 * also if no node answers.
 */
export async function foresee(database: Database, asked: Foreseen): Promise<Refusal | null> {
  const { adapter, entry, caps, orgId, request } = asked
  const named = parseRecipient(entry, request.recipient)
  const tokenId = nativeTokenId(entry)
  if (named === null || canonicalTokenId(request.tokenId) !== tokenId) return null
  const whose = { orgId, chainId: entry.id, purpose: 'settlement' } as const
  const from = await database.forOrg(orgId, (tx) => readOwnAddress(tx, whose))
  if (from === null) return null
  try {
    const amount = parseAmount(request.amount)
    const memo = request.memo ?? (named.tag === null ? null : String(named.tag))
    const intent = { chainId: entry.id, tokenId, from, to: named.address, amount, memo }
    return refusalOf(await adapter.quote(intent, caps), { entry, caps, amount })
  } catch (error) {
    if (error instanceof Outage || error instanceof Refusal) return null
    throw error
  }
}

function refusalOf(
  quote: Quote,
  { entry, caps, amount }: { entry: ChainEntry; caps: FeeCaps; amount: bigint },
): Refusal | null {
  if (quote.ok) return null
  const { code, details, message } = quote
  const provided = amount.toString()
  const { fee, cap, required } = details
  if (code === 'FEE_TOO_HIGH' && fee !== undefined && BigInt(cap ?? 0) < caps.absolute) {
    const points = BigInt(Math.round((caps.relativePercent ?? 0) * PERCENT))
    if (points === 0n || BigInt(fee) > caps.absolute) return null
    const minimum = (BigInt(fee) * WHOLE + points - 1n) / points
    const says =
      `The network fee is ${fee} base units, more than ${caps.relativePercent} % of the amount. ` +
      `Withdraw at least ${minimum} base units.`
    return belowMinimum({ provided, minimum: minimum.toString(), fee, feeCap: cap }, says)
  }
  if (code !== 'RECIPIENT_REFUSES') return null
  if (required !== undefined) return belowMinimum({ provided, minimum: required }, `${message}.`)
  const reason = 'refuses'
  return new Refusal('INVALID_RECIPIENT_ADDRESS', { chainId: entry.id, reason }, `${message}.`)
}

function belowMinimum(details: Record<string, unknown>, says: string): Refusal {
  return new Refusal('WITHDRAWAL_BELOW_MINIMUM', details, says)
}
