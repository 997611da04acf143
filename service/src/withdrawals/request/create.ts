import type { ChainId } from '@sluice/wire'
import { isOwnHouseAddress } from '../../accounts/own-address.ts'
import { parseAmount } from '../../base/amount.ts'
import { assert } from '../../base/assert.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import { ALL_CHAINS, type ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import { watchScope } from '../../catalogue/scope.ts'
import { canonicalTokenId, displayAddress, parseRecipient } from '../../chains/format-address.ts'
import { affordable } from '../../gas/afford.ts'
import { writeAudits } from '../../journal/write-audit.ts'
import type { Caller } from '../../orgs/caller.ts'
import type { Organization } from '../../orgs/organization.ts'
import { requireCallers } from '../../orgs/require-caller.ts'
import { readOrganization } from '../../orgs/settings.ts'
import { readMinHumans } from '../../orgs/signers.ts'
import { requireGenuine } from '../../orgs/thresholds.ts'
import type { Role } from '../../orgs/user.ts'
import type { Tx } from '../../store/database.ts'
import { insertWithdrawals, type NewWithdrawal } from '../approval-rows.ts'
import {
  checkLimits,
  checkNamed,
  type Found,
  type Named,
  type Offers,
  withMemo,
  wrongRecipient,
} from './check.ts'
import { macOfApproval, macOfWithdrawal, type Vouching } from '../mac.ts'
import type { WithdrawalRequest } from './parse-request.ts'
import { heldFeeFor } from './held-fee.ts'
import { tellWithdrawal } from '../payload.ts'
import { readAvailable, readUnconfirmed, reserveAmount } from '../reserve.ts'
import { selectByReference } from '../rows.ts'
import { firstWait, type Requested, type Withdrawal } from '../withdrawal.ts'

/** Whoever asks: the first who approves. */
export interface Initiator {
  id: string
  role: Role
}

/** What it takes to create a withdrawal. */
export interface Creation {
  catalogue: Catalogue
  orgId: string
  initiator: Initiator
  /** Asked after in the commit; left out where nobody asks over the interface. */
  caller?: Caller
  request: WithdrawalRequest
  /**
   * What sending it may cost, in base units of the native currency, or why nobody can say; null
   * where the request names no chain and token that could be asked about.
   */
  fee: bigint | Outage | null
  /**
   * Whether the recipient takes no payment without a tag, or why nobody can say; left out where
   * that was not asked.
   */
  needsTag?: boolean | Outage
  /**
   * The refusal that a node's quote gives (`foresee`), of the recipient or of the amount; left out
   * if no node was asked.
   */
  foreseen?: Refusal | null
}

/**
 * Creates a withdrawal and sets its amount aside, in the caller's commit; with one signer it is
 * approved at once. Refuses as `requireCaller` does, then, in the order of decisions, 4, with
 * DUPLICATE_REFERENCE, what `checkNamed` and `checkLimits` refuse with, INSUFFICIENT_BALANCE or
 * INSUFFICIENT_CONFIRMED_BALANCE, and INSUFFICIENT_GAS; with INTERNAL_ERROR where the
 * organization's thresholds were changed in the database; throws Overdrawn where others were
 * quicker, and an Outage where the fee is not known.
 */
export async function createWithdrawal(
  tx: Tx,
  serviceKey: Vouching,
  given: Creation,
  offersOf: (tx: Tx) => Promise<Offers>,
): Promise<Withdrawal> {
  const { catalogue, orgId, request } = given
  await requireCallers(tx, serviceKey, [given])
  await refuseDuplicate(tx, { orgId, request })
  const found = checkNamed(request, { catalogue, offers: await offersOf(tx) })
  await refuseHouse(tx, found)
  const named = withMemo(found, request)
  if (named.memo === null) refuseUntagged(named, given.needsTag ?? false)
  if (given.foreseen?.code === 'INVALID_RECIPIENT_ADDRESS') throw given.foreseen
  checkLimits(named)
  if (given.foreseen) throw given.foreseen
  const organization = await readOrganization(tx, orgId)
  requireGenuine(serviceKey, organization)
  const requiredHumans = await readMinHumans(tx, serviceKey, organization)
  const draft = draftOf(tx, serviceKey, { ...given, named, organization, requiredHumans })
  // The reference is taken before anything is said of the balance: of two equal requests at once
  // the second is told that it is one, whatever the first has left over.
  const inserted = await insertWithdrawals(tx, [draft])
  if (!inserted.has(draft.withdrawal.id)) await refuseTaken(tx, { orgId, request })
  const { withdrawal } = draft
  const { entry } = named
  await refuseShort(tx, { ...given, entry, withdrawal })
  tellCreated(tx, { catalogue, withdrawal })
  // Nothing waits for the entry, and it comes before the balance, which others wait for.
  await Promise.all([
    writeCreated(tx, [withdrawal]),
    reserveAmount(tx, { catalogue, withdrawal, held: heldFor(entry, given.fee) }),
  ])
  return withdrawal
}

interface Sought {
  orgId: string
  request: WithdrawalRequest
}

/** A withdrawal keeps its reference for ever, however it ended (A05). */
async function refuseDuplicate(tx: Tx, { orgId, request }: Sought): Promise<void> {
  const { reference } = request
  const standing = await selectByReference(tx, { orgId, reference })
  if (standing === null) return
  throw new Refusal('DUPLICATE_REFERENCE', {
    existingWithdrawalId: standing.id,
    sameParameters: isSame(standing, request),
  })
}

async function refuseTaken(tx: Tx, sought: Sought): Promise<never> {
  await refuseDuplicate(tx, sought)
  assert(false, 'a reference is taken by no withdrawal', { orgId: sought.orgId })
}

function isSame(standing: Withdrawal, request: WithdrawalRequest): boolean {
  return (
    standing.chainId === request.chainId &&
    standing.tokenId === canonicalTokenId(request.tokenId) &&
    standing.amount.toString() === request.amount &&
    isSameRecipient(standing, request) &&
    standing.internalNote === request.internalNote &&
    standing.externalUserId === request.externalUserId
  )
}

/** An X-address and its parts are the same recipient; none is where its tag is not the memo. */
function isSameRecipient({ chainId, recipient, memo }: Withdrawal, asked: WithdrawalRequest) {
  const [entry] = ALL_CHAINS.filter(({ id }) => id === chainId)
  const named = entry === undefined ? null : parseRecipient(entry, asked.recipient)
  const tag = named?.tag ?? null
  const within = tag === null ? asked.memo : String(tag)
  return named?.address === recipient && within === memo && (asked.memo ?? within) === memo
}

/** No withdrawal pays to a settlement or gas address of this installation (engineering, 8). */
async function refuseHouse(tx: Tx, { entry, recipient }: Found): Promise<void> {
  if (!(await isOwnHouseAddress(tx, watchScope(entry), recipient))) return
  throw wrongRecipient(entry, 'own', 'The recipient is an address of this service itself.')
}

/** A payment without a tag would fail on the chain, and cost its fee (X12). */
function refuseUntagged({ entry, recipient }: Named, needsTag: boolean | Outage): void {
  if (needsTag instanceof Outage) throw needsTag
  if (!needsTag) return
  const details = { chainId: entry.id, toAddress: displayAddress(entry.id, recipient) }
  throw new Refusal('MISSING_DESTINATION_TAG', details)
}

/** A withdrawal as it begins, and the first approval, which asking for it is. */
export function draftOf(
  tx: Tx,
  serviceKey: Vouching,
  given: Creation & { named: Named; organization: Organization; requiredHumans: number },
): NewWithdrawal {
  const { orgId, initiator, request, named, organization, requiredHumans } = given
  const requested: Requested = {
    orgId,
    id: tx.ids.next(),
    chainId: named.entry.id,
    tokenId: named.token.id,
    amount: named.amount,
    recipient: named.recipient,
    memo: named.memo,
    reference: request.reference,
    internalNote: request.internalNote,
    externalUserId: request.externalUserId,
    requiredApprovals: organization.minWithdrawalSigners,
    requiredHumans,
    initiator: initiator.id,
    createdAt: tx.clock.now(),
  }
  const mac = macOfWithdrawal(serviceKey, requested)
  const withdrawal = begun(requested, mac, initiator)
  return { withdrawal, approval: firstApproval(tx, serviceKey, withdrawal) }
}

function begun(requested: Requested, mac: Uint8Array, initiator: Initiator): Withdrawal {
  const humans = initiator.role === 'api' ? 0 : 1
  const isApproved = requested.requiredApprovals <= 1 && requested.requiredHumans <= humans
  const status = isApproved ? 'Pending' : 'PendingApproval'
  const waitingFor = firstWait(status)
  return {
    ...requested,
    mac,
    status,
    approvers: [initiator.id],
    spendId: null,
    txnHash: null,
    txnError: null,
    failureCode: null,
    fee: null,
    waitingFor,
    waitingSince: waitingFor === null ? null : requested.createdAt,
    completedAt: null,
    updatedAt: requested.createdAt,
  }
}

/** To ask is to approve: the initiator's is the first approval, without a code (decisions, 6). */
function firstApproval(tx: Tx, serviceKey: Vouching, withdrawal: Withdrawal) {
  const { orgId, id: withdrawalId, initiator: userId, createdAt } = withdrawal
  const approval = { orgId, id: tx.ids.next(), withdrawalId, userId, totpStep: 0, createdAt }
  return { ...approval, mac: macOfApproval(serviceKey, approval, withdrawal) }
}

/**
 * Whether the gas wallet can pay, asked before the balance is locked. Only who would have enough is
 * told about gas: the balance comes first.
 */
async function refuseShort(
  tx: Tx,
  given: Pick<Creation, 'catalogue' | 'orgId' | 'fee'> & {
    entry: ChainEntry
    withdrawal: Withdrawal
  },
): Promise<void> {
  const { catalogue, fee, withdrawal, entry } = given
  if (!entry.hasGasWallets) return refuseWithFee(tx, given)
  const short = await gasRefusal(tx, { catalogue, fee, withdrawal })
  if (short === null) return
  const available = await readAvailable(tx, withdrawal)
  throw available < withdrawal.amount ? insufficient(available, withdrawal.amount) : short
}

/** Where fees come out of what is paid, the amount and what is held for the fee must be there. */
async function refuseWithFee(
  tx: Tx,
  given: { entry: ChainEntry; fee: Creation['fee']; withdrawal: Withdrawal },
): Promise<void> {
  const { entry, fee, withdrawal } = given
  const standing = await readStanding(tx, entry, withdrawal)
  const required = withdrawal.amount + (fee instanceof Outage ? 0n : heldFor(entry, fee))
  if (standing.available < required) throw refusalOfShort(entry.id, standing, required)
  // Only who has enough is told that no node says what it costs.
  if (fee instanceof Outage) throw fee
}

/**
 * The refusal of an amount that is not there; where payments wait long for their confirmations it
 * says whether these are all that is missing. In base units.
 */
export function refusalOfShort(
  chainId: ChainId,
  { available, unconfirmed }: Standing,
  required: bigint,
): Refusal {
  const total = available + unconfirmed
  if (unconfirmed <= 0n || total < required) return insufficient(available, required)
  return new Refusal('INSUFFICIENT_CONFIRMED_BALANCE', {
    chainId,
    totalBalance: total.toString(),
    confirmedBalance: available.toString(),
    unconfirmedBalance: unconfirmed.toString(),
  })
}

/** What an organization can use of a token, and what it will be able to; in base units. */
export interface Standing {
  available: bigint
  /** Only where coins are spent: elsewhere confirmations take seconds. */
  unconfirmed: bigint
}

/** Reads what a withdrawal may be paid from. */
export async function readStanding(
  tx: Tx,
  entry: ChainEntry,
  whose: Pick<Withdrawal, 'orgId' | 'chainId' | 'tokenId'>,
): Promise<Standing> {
  const available = await readAvailable(tx, whose)
  return {
    available,
    unconfirmed: entry.paymentModel === 'utxo' ? await readUnconfirmed(tx, whose) : 0n,
  }
}

function heldFor(entry: ChainEntry, fee: Creation['fee']): bigint {
  return heldFeeFor(entry, fee instanceof Outage ? null : fee)
}

/** What must be there of the balance, in base units: the amount, and what is held for its fee. */
export function requiredFor({ catalogue, request, fee }: Creation): bigint {
  const entry = catalogue.chain(request.chainId)
  const amount = parseAmount(request.amount)
  return entry === null ? amount : amount + heldFor(entry, fee)
}

/** The refusal of an amount that is not there. */
function insufficient(available: bigint, required: bigint): Refusal {
  const details = { available: available.toString(), required: required.toString() }
  return new Refusal('INSUFFICIENT_BALANCE', details)
}

async function gasRefusal(
  tx: Tx,
  given: Pick<Creation, 'catalogue' | 'fee'> & { withdrawal: Withdrawal },
): Promise<Refusal | Outage | null> {
  const { catalogue, fee, withdrawal } = given
  if (fee instanceof Outage) return fee
  const { orgId, chainId } = withdrawal
  assert(fee !== null, 'a withdrawal of a token whose fee nobody asked for', { chainId })
  const verdict = await affordable(tx, { orgId, chainId, fee })
  if (verdict.ok) return null
  return new Refusal('INSUFFICIENT_GAS', {
    chainId,
    gasWalletBalance: verdict.gasWalletBalance.toString(),
    estimatedGasNeeded: verdict.estimatedGasNeeded.toString(),
    nativeToken: catalogue.nativeToken(chainId).symbol,
  })
}

/** Writes down who asked for new withdrawals: to ask is the first approval. */
export function writeCreated(tx: Tx, withdrawals: readonly Withdrawal[]): Promise<void> {
  return writeAudits(
    tx,
    withdrawals.map(({ orgId, id: object, initiator, ...asked }) => ({
      orgId,
      actor: `user:${initiator}`,
      action: 'withdrawal.create',
      object,
      details: detailsOf(asked),
    })),
  )
}

/** What was asked for, sealed with the entry: the row may be changed behind our back. */
function detailsOf(
  asked: Pick<Withdrawal, 'chainId' | 'tokenId' | 'amount' | 'recipient' | 'memo' | 'reference'>,
): Record<string, unknown> {
  const { chainId, tokenId, amount, recipient, memo, reference } = asked
  return {
    chainId,
    tokenId,
    amount: amount.toString(),
    recipient: displayAddress(chainId, recipient),
    ...(memo !== null && { memo }),
    reference,
  }
}

/** Tells of a new withdrawal, and that it is approved where nobody else must. */
export function tellCreated(tx: Tx, given: { catalogue: Catalogue; withdrawal: Withdrawal }): void {
  tellWithdrawal(tx, 'withdrawal.created', given)
  if (given.withdrawal.status === 'Pending') tellWithdrawal(tx, 'withdrawal.approved', given)
}
