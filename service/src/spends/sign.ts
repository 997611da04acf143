import { derivationOf, roleOn, signerPath } from '../accounts/signer-path.ts'
import { Bug, assert } from '../base/assert.ts'
import type { Intent, Signed } from '../chains/port.ts'
import { type Terms, maxFeeOf } from '../chains/spending.ts'
import type { Tx } from '../store/database.ts'
import type { SpendMeans } from './mandate.ts'
import type { Sender } from './sender.ts'

/**
 * What was signed, or was about to be, is not what was asked for: a bug, or somebody else's hand in
 * the database. Nothing was stored; the sender is to be halted.
 */
export class SpendMismatch extends Bug {}

/**
 * Signs a payment under a nonce of a locked sender, and reads the signed bytes anew: chain, sender,
 * recipient, token, amount and nonce must be those of the intent, and the fee within the terms.
 * Asks no node. Throws SpendMismatch where anything differs, and a Bug where the keys of the sender
 * are not those that were stored (engineering, 7).
 */
export async function signIntent(
  tx: Tx,
  means: SpendMeans,
  given: { sender: Sender; intent: Intent; terms: Terms; nonce: number },
): Promise<Signed> {
  const { adapter, entry, keys, caps } = means
  const { sender, intent, terms, nonce } = given
  assert(maxFeeOf(terms) <= caps.absolute, 'terms above the cap of fees', { terms, caps })
  const path = await signerPath(tx, keys, { entry, address: sender.address })
  const isOurs =
    path?.orgId === sender.orgId &&
    path.walletNumber === sender.walletNumber &&
    path.pathIndex === sender.pathIndex &&
    roleOn(path, entry.id) === sender.purpose
  if (!isOurs) throw new SpendMismatch('a sender is not what it was', { sender, path })
  const at = derivationOf(entry, path)
  const publicKey = keys.keyring.publicKey(at)
  const unsigned = adapter.craft(intent, terms, { kind: 'nonce', nonce }, publicKey)
  const signatures = unsigned.digests.map((digest) => keys.keyring.sign(at, digest))
  const signed = adapter.combine(unsigned, signatures)
  compare(means, { ...given, signed })
  return signed
}

function compare(
  { adapter, entry }: SpendMeans,
  given: { intent: Intent; terms: Terms; nonce: number; signed: Signed },
): void {
  const { intent, terms, nonce, signed } = given
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
    decoded.maxFee <= maxFeeOf(terms) &&
    decoded.txnHash === signed.txnHash
  if (!same) throw new SpendMismatch('signed bytes say something else', { intent, decoded, nonce })
}
