import { type SignerPath, derivationOf, roleOn, signerPath } from '../../accounts/signer-path.ts'
import { Bug, assert } from '../../base/assert.ts'
import type { Intent, NonceReservation, Signed, TicketReservation } from '../../chains/port.ts'
import { type Terms, maxFeeOf, signedFeeOf } from '../../chains/spending.ts'
import type { Tx } from '../../store/database.ts'
import type { SpendMeans } from './mandate.ts'
import { sameDelegation } from './same-delegation.ts'
import type { Sender } from './sender.ts'
import { seatOf } from '../nonce/take-number.ts'

type Numbered = NonceReservation | TicketReservation

/**
 * What was signed, or was about to be, is not what was asked for: a bug, or somebody else's hand in
 * the database. Nothing was stored; the sender is to be halted.
 */
export class SpendMismatch extends Bug {}

/**
 * Signs a payment under a nonce or a ticket of a locked sender, and reads the signed bytes anew:
 * chain, sender, recipient, token, amount and nonce must be those of the intent, and the fee within
 * the terms. Asks no node. Throws SpendMismatch where anything differs, and a Bug where the keys of
 * the sender are not those that were stored (engineering, 7).
 */
export async function signIntent(
  tx: Tx,
  means: SpendMeans,
  given: { sender: Sender; intent: Intent; terms: Terms; reservation: Numbered },
): Promise<Signed> {
  const { adapter, entry, keys, caps } = means
  const { sender, intent, terms, reservation } = given
  assert(maxFeeOf(terms) <= caps.absolute, 'terms above the cap of fees', { terms, caps })
  const path = await proveSender(tx, means, sender)
  const at = derivationOf(entry, path)
  const publicKey = keys.keyring.publicKey(at)
  const unsigned = adapter.craft(intent, terms, reservation, publicKey)
  const signatures = unsigned.digests.map((digest) => keys.keyring.sign(at, digest))
  const signed = adapter.combine(unsigned, signatures)
  compare(means, { ...given, signed })
  return signed
}

/**
 * Where the key of a sender lies. Throws SpendMismatch where its row is not as it was made: what is
 * left over of a payment returns to it.
 */
export async function proveSender(
  tx: Tx,
  { entry, keys }: Pick<SpendMeans, 'entry' | 'keys'>,
  sender: Sender,
): Promise<SignerPath> {
  const path = await signerPath(tx, keys, { entry, address: sender.address })
  const isOurs =
    path?.orgId === sender.orgId &&
    path.walletNumber === sender.walletNumber &&
    path.pathIndex === sender.pathIndex &&
    roleOn(path, entry.id) === sender.purpose
  if (!isOurs) throw new SpendMismatch('a sender is not what it was', { sender, path })
  return path
}

function compare(
  { adapter, entry }: SpendMeans,
  given: { intent: Intent; terms: Terms; reservation: Numbered; signed: Signed },
): void {
  const { intent, terms, reservation, signed } = given
  const { nonce, ticket } = seatOf(reservation)
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
  if (!same) throw new SpendMismatch('signed bytes say something else', { intent, decoded, nonce })
}
