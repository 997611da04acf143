import { derivationOf, roleOn, type SignerPath, signerPath } from '../../accounts/signer-path.ts'
import { assert } from '../../base/assert.ts'
import type {
  Delegation,
  Intent,
  NonceReservation,
  Signed,
  TicketReservation,
} from '../../chains/port.ts'
import { maxFeeOf, signedFeeOf, type Terms } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import { SpendMismatch } from './mismatch.ts'
import type { SpendDeps } from './payment-request.ts'
import type { Sender } from './sender.ts'
import { type SignedFor, signerPayment } from './signing-request.ts'
import type { Spend } from './spend.ts'

/** A payment under a number, and its signed bytes. */
interface NumberedSigning {
  sender: Sender
  intent: Intent
  terms: Terms
  reservation: NonceReservation | TicketReservation
  signed: Signed
}

/**
 * Has the signer sign a payment under a nonce or ticket of a locked sender, and decodes the signed
 * bytes: chain, sender, recipient, token, amount and number must equal the intent, and the fee must
 * be within the terms. Queries no node. Throws SpendMismatch if anything differs, a Bug if the
 * sender's keys are not the stored ones (engineering, 7), Refused if the signer refuses, and an
 * Outage if it is away.
 */
export async function signIntent(
  tx: Tx,
  deps: SpendDeps,
  signing: Omit<NumberedSigning, 'signed'> & { spend: SignedFor },
): Promise<Signed> {
  const { adapter, entry, keys, caps } = deps
  const { sender, spend, intent, terms, reservation } = signing
  assert(maxFeeOf(terms) <= caps.absolute, 'fee of the terms exceeds the cap', { terms, caps })
  const path = await proveSender(tx, deps, sender)
  const at = derivationOf(entry, path)
  const { orgId } = sender
  const publicKey = await keys.signer.publicKey(orgId, at)
  const payment = await signerPayment(tx, deps, { sender, spend, to: intent.to })
  const unsigned = adapter.craft(intent, terms, reservation, publicKey)
  const { body } = unsigned
  const request = { orgId, chainId: entry.id, payment, from: at, body }
  const signatures = await keys.signer.sign(request)
  const signed = adapter.combine(unsigned, signatures)
  compare(deps, { ...signing, signed })
  return signed
}

/**
 * The key path of a sender. Throws SpendMismatch if its row was altered: change of a payment
 * returns to it.
 */
export async function proveSender(
  tx: Tx,
  { entry, keys }: Pick<SpendDeps, 'entry' | 'keys'>,
  sender: Sender,
): Promise<SignerPath> {
  const path = await signerPath(tx, keys, { entry, address: sender.address })
  const isOurs =
    path?.orgId === sender.orgId &&
    path.walletNumber === sender.walletNumber &&
    path.pathIndex === sender.pathIndex &&
    roleOn(path, entry.id) === sender.purpose
  if (!isOurs) throw new SpendMismatch('sender was altered', { sender, path })
  return path
}

function compare(
  { adapter, entry }: SpendDeps,
  { intent, terms, reservation, signed }: Omit<NumberedSigning, 'sender'>,
): void {
  const { nonce, ticket } = numberFieldsOf(reservation)
  const decoded = adapter.decode(signed.raw)
  const same =
    decoded.chainId === entry.id &&
    decoded.chainId === intent.chainId &&
    decoded.from === intent.from &&
    decoded.to === intent.to &&
    decoded.tokenId === intent.tokenId &&
    decoded.amount === intent.amount &&
    (decoded.memo === undefined || decoded.memo === intent.memo) &&
    (decoded.nonce ?? nonce) === nonce &&
    (decoded.ticket ?? false) === ticket &&
    (decoded.tickets ?? 0) === (intent.tickets ?? 0) &&
    sameDelegation(decoded.delegation, intent.delegation) &&
    decoded.maxFee <= signedFeeOf(terms) &&
    decoded.txnHash === signed.txnHash
  if (!same)
    throw new SpendMismatch('signed bytes differ from the request', { intent, decoded, nonce })
}

/** How a spend writes its number down. */
export function numberFieldsOf(
  reservation: NonceReservation | TicketReservation,
): Pick<Spend, 'nonce' | 'ticket'> {
  return reservation.kind === 'ticket'
    ? { nonce: reservation.ticket, ticket: true }
    : { nonce: reservation.nonce, ticket: false }
}

/** The reservation of a spend that was signed before: for a replacement it is the same one. */
export function reservationOf({
  nonce,
  ticket,
}: Pick<Spend, 'nonce' | 'ticket'>): NonceReservation | TicketReservation {
  return ticket ? { kind: 'ticket', ticket: nonce } : { kind: 'nonce', nonce }
}

/** Whether two transactions do the same with their sender's stake; neither is fine as well. */
function sameDelegation(a: Delegation | undefined, b: Delegation | undefined): boolean {
  return a?.act === b?.act && a?.stake === b?.stake
}
