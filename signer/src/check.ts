import { createHash } from 'node:crypto'
import { require } from './base.ts'
import { foldAddress } from './decode/address.ts'
import type { Action, Decoded, Slot } from './decode/decoded.ts'
import { withdrawalHash } from './hash.ts'
import type { Entry, History, SignedSlot } from './history.ts'
import { decidePolicy } from './policy/decide.ts'
import type { Authority } from './policy/order.ts'
import type { Spending } from './policy/record.ts'
import type { KeyPath, SigningRequest, WithdrawalFields } from './request.ts'

/** Signatures of one payment on a chain whose transactions only expire (TRON). */
const WINDOWS_MAX = 4

/** The facts of a decision, with the request. */
export interface Checking {
  decoded: Decoded
  history: Pick<History, 'ownerOf' | 'slotOf' | 'policy'>
  withoutPolicy: Authority['withoutPolicy']
  /** The address of a key on the chain of the request. */
  addressAt: (at: KeyPath) => string
  /** Highest fee of a transaction on the chain, in native base units. */
  maxFee: bigint
  /** Milliseconds. */
  now: number
}

/**
 * Decides whether a request may be signed, from the decoded bytes and the history alone. Returns
 * the addition to the history, which is empty for bytes that were signed before. Throws Refused
 * with the first objection. Pure.
 */
export function check(request: SigningRequest, checking: Checking): Entry {
  const { decoded, maxFee, addressAt, now, history } = checking
  const { chainId, from, payment } = request
  require(history.policy.pause?.isPaused !== true, 'paused', 'The admins have paused the signer.')
  require(chainId.startsWith(`${from.namespace}:`), 'malformed', 'The key is of another chain.')
  const isChain = decoded.chainId === null || decoded.chainId === chainId
  require(isChain, 'other-payment', 'The transaction is for another chain.')
  const sender = addressAt(from)
  const isSender = decoded.from === null || isSame(decoded.from, sender)
  require(isSender, 'other-sender', 'The transaction names another sender.')
  require(decoded.maxFee <= maxFee, 'fee-too-high', `The fee exceeds ${maxFee}.`)
  if (payment.kind === 'withdrawals') checkWithdrawals(request, payment.withdrawals, checking)
  else checkInward(decoded.action, addressAt(payment.to ?? from), payment.to === null)
  const slots = subjectsOf(request).flatMap((subject) => slotFor(subject, request, checking))
  const spendings = spendingsOf(request, slots, checking)
  const entry = { at: now, wallets: walletsOf(request, history), slots }
  return spendings.length === 0 ? entry : { ...entry, spendings }
}

/**
 * Asks the policy about the withdrawals without a slot. A new window (TRON) is no slot: because the
 * last transaction may have been included, the withdrawal is decided and counted again.
 */
function spendingsOf(
  { payment }: SigningRequest,
  slots: readonly SignedSlot[],
  { history, withoutPolicy, now }: Checking,
): readonly Spending[] {
  if (payment.kind === 'inward') return []
  const isNew = ({ signed, slot }: SignedSlot) => signed === 1 || slot.kind === 'window'
  const hashes = new Set(slots.filter(isNew).map(({ subject }) => subject))
  const withdrawals = payment.withdrawals.filter((one) => hashes.has(withdrawalHash(one)))
  const version = history.policy.versionAt(now)
  if (version !== null) return decidePolicy(withdrawals, version, history.policy, now)
  const isPaid = withoutPolicy === 'open' || withdrawals.length === 0
  require(isPaid, 'no-policy', 'The signer pays no withdrawal before it has a policy.')
  return []
}

/** The wallets of a request that no organization had. Refuses those of another organization. */
export function claimWallets(
  orgId: string,
  wallets: readonly number[],
  history: Checking['history'],
): [number, string][] {
  return [...new Set(wallets)].flatMap((wallet) => {
    const owner = history.ownerOf(wallet)
    const isOwn = owner === null || owner === orgId
    require(isOwn, 'other-organization', `Wallet ${wallet} belongs to another organization.`)
    const claim: [number, string] = [wallet, orgId]
    return owner === null ? [claim] : []
  })
}

function walletsOf(request: SigningRequest, history: Checking['history']): [number, string][] {
  const { orgId, from, payment, inputs = [] } = request
  const to = payment.kind === 'inward' && payment.to !== null ? [payment.to] : []
  const paths = [from, ...to, ...inputs.map(({ path }) => path)]
  const wallets = paths.map(({ wallet }) => wallet)
  return claimWallets(orgId, wallets, history)
}

function checkWithdrawals(
  { orgId, chainId, from }: SigningRequest,
  withdrawals: readonly WithdrawalFields[],
  { decoded: { action }, addressAt }: Checking,
): void {
  require(withdrawals.length > 0, 'malformed', 'There is no withdrawal.')
  for (const one of withdrawals) {
    const isOwn = one.orgId === orgId && one.chainId === chainId
    require(isOwn, 'other-payment', 'A withdrawal is of another organization or chain.')
    require(/^[1-9][0-9]{0,77}$/.test(one.amount), 'malformed', 'An amount is not a number.')
  }
  if (action.kind === 'outputs') return checkOutputs(action, withdrawals, addressAt(from))
  const [withdrawal, ...others] = withdrawals
  const isOne = action.kind === 'payment' && withdrawal !== undefined && others.length === 0
  require(isOne, 'other-payment', 'The transaction is not the payment of one withdrawal.')
  const isPaid =
    isSameContract(action.contract, contractOf(withdrawal)) &&
    isSame(action.to, withdrawal.recipient) &&
    action.amount === BigInt(withdrawal.amount) &&
    (from.namespace === 'eip155' || (action.memo ?? '') === (withdrawal.memo ?? ''))
  require(isPaid, 'other-payment', 'The transaction pays something else than the withdrawal.')
}

/** Each withdrawal has its output, and at most one other output returns the change. */
function checkOutputs(
  { outputs }: Extract<Action, { kind: 'outputs' }>,
  withdrawals: readonly WithdrawalFields[],
  change: string,
): void {
  const rest = [...outputs]
  for (const withdrawal of withdrawals) {
    const { recipient, amount } = withdrawal
    require(contractOf(withdrawal) === null, 'other-payment', 'A withdrawal is of a token.')
    const at = rest.findIndex(
      (output) => isSame(output.address, recipient) && output.amount === BigInt(amount),
    )
    require(at >= 0, 'other-payment', `No output pays withdrawal ${withdrawal.id}.`)
    rest.splice(at, 1)
  }
  const isChange = rest.length <= 1 && rest.every(({ address }) => isSame(address, change))
  require(isChange, 'other-payment', 'An output pays neither a withdrawal nor the sender.')
}

function checkInward(action: Action, to: string, isOwn: boolean): void {
  const says = 'The transaction moves money to an address that is not the named own one.'
  if (action.kind === 'payment') {
    require(isSame(action.to, to) && action.memo === null, 'not-own-address', says)
  } else if (action.kind === 'delegation') {
    require(isSame(action.to, to), 'not-own-address', says)
  } else if (action.kind === 'outputs') {
    const isInward = isOwn && action.outputs.every(({ address }) => isSame(address, to))
    require(isInward, 'not-own-address', says)
  } else {
    require(isOwn, 'not-own-address', says)
  }
}

function subjectsOf({ orgId, payment }: SigningRequest): string[] {
  if (payment.kind === 'inward') return [`${orgId}/${payment.id}`]
  const hashes = payment.withdrawals.map(withdrawalHash)
  require(new Set(hashes).size === hashes.length, 'malformed', 'A withdrawal is named twice.')
  return hashes
}

/** The slot of a payment; empty if these bytes are the last that were signed for it. */
function slotFor(subject: string, request: SigningRequest, checking: Checking): SignedSlot[] {
  const { chainId, from } = request
  const { decoded, history, now } = checking
  const body = createHash('sha256').update(request.body).digest('hex')
  const next = { subject, chainId, from: pathText(from), slot: decoded.slot, signed: 1, body }
  const last = history.slotOf(subject)
  if (last === null) return [next]
  const isSender = last.chainId === chainId && last.from === next.from
  require(isSender, 'signed-elsewhere', 'The payment was signed for another sender.')
  if (last.body === body) return []
  const slot = sharedSlot(last.slot, decoded.slot)
  require(slot !== null, 'signed-elsewhere', `The payment was signed under ${textOf(last.slot)}.`)
  if (last.slot.kind === 'window') {
    require(last.signed < WINDOWS_MAX, 'signed-too-often', `Signed ${last.signed} times already.`)
    require(now > last.slot.expiresAt, 'not-expired', 'The last transaction can be included still.')
  }
  return [{ ...next, slot, signed: last.signed + 1 }]
}

/** The slot that both transactions share, so that only one can be included; null without one. */
function sharedSlot(last: Slot, next: Slot): Slot | null {
  if (last.kind === 'inputs' && next.kind === 'inputs') {
    const outpoints = last.outpoints.filter((one) => next.outpoints.includes(one))
    return outpoints.length === 0 ? null : { kind: 'inputs', outpoints }
  }
  if (last.kind === 'window' && next.kind === 'window') return next
  const isEqual =
    (last.kind === 'nonce' && next.kind === 'nonce' && last.nonce === next.nonce) ||
    (last.kind === 'ticket' && next.kind === 'ticket' && last.ticket === next.ticket)
  return isEqual ? next : null
}

function textOf(slot: Slot): string {
  if (slot.kind === 'nonce') return `nonce ${slot.nonce}`
  if (slot.kind === 'ticket') return `ticket ${slot.ticket}`
  return slot.kind === 'inputs' ? `outputs ${slot.outpoints.join(', ')}` : 'a window of validity'
}

/** A key as one text; the key of an EVM address is the same on every chain of its kind. */
export function pathText(path: KeyPath): string {
  const { namespace, isTestnet, wallet, branch, index, addressType = '' } = path
  const network = isTestnet ? 'test' : 'main'
  return [namespace, network, wallet, branch, index, addressType].join('/')
}

/** The contract of a withdrawal's token (CAIP-19), null for the native currency. */
function contractOf({ chainId, tokenId }: WithdrawalFields): string | null {
  const isOfChain = tokenId.startsWith(`${chainId}/`)
  const parts = isOfChain ? /^([a-z0-9]+):([^/:]+)$/.exec(tokenId.slice(chainId.length + 1)) : null
  require(parts !== null, 'malformed', 'The token is of another chain, or its id is not CAIP-19.')
  return parts[1] === 'slip44' ? null : (parts[2] ?? '')
}

function isSameContract(one: string | null, other: string | null): boolean {
  return one === other || (one !== null && other !== null && isSame(one, other))
}

function isSame(one: string, other: string): boolean {
  return foldAddress(one) === foldAddress(other)
}
