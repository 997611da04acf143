import { createHash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Transaction } from 'micro-eth-signer'
import { MemoryStore } from '../../service/test/support/memory-store.ts'
import { withdrawalHash } from '../src/hash.ts'
import { History } from '../src/history.ts'
import { LocalSigner } from '../src/local-signer.ts'
import type { Authority } from '../src/policy/order.ts'
import type {
  KeyPath,
  PaidWithdrawal,
  Signature,
  SigningKeys,
  SigningRequest,
} from '../src/request.ts'
import type { Store } from '../src/store.ts'
import { assertionOf, signatureOf } from './approvals.ts'
import { ADMIN_KEYS, CHAIN, FINGERPRINT, KEYS, NATIVE, RECIPIENT, START } from './policies.ts'

export const FROM: KeyPath = {
  namespace: 'eip155',
  isTestnet: true,
  wallet: 1,
  branch: 0,
  index: 0,
}

/** A key for every path; counts its uses. */
export class PathKeys implements SigningKeys {
  readonly fingerprint = FINGERPRINT
  uses = 0

  accountXpub(): string {
    return 'xpub'
  }

  publicKey(at: KeyPath): Uint8Array {
    return secp256k1.getPublicKey(keyAt(at), true)
  }

  sign(at: KeyPath, digest: Uint8Array): Signature {
    this.uses += 1
    const bytes = secp256k1.sign(digest, keyAt(at), { prehash: false, format: 'recovered' })
    const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered')
    return { r, s, recovery }
  }

  destroy(): void {}
}

function keyAt(at: KeyPath): Uint8Array {
  return createHash('sha256').update(JSON.stringify(at)).digest()
}

/** A signer with two of three admins, whose clock the test moves. */
export function signerOf({
  withoutPolicy = 'closed',
  history = new History(),
  store = new MemoryStore(history),
}: {
  withoutPolicy?: Authority['withoutPolicy']
  history?: History
  store?: Store
} = {}) {
  const keys = new PathKeys()
  const clock = { now: START }
  const authority = { keys: ADMIN_KEYS, quorum: 2, withoutPolicy }
  const now = () => clock.now
  const parts = { keys, history, store, now, maxFee: () => 10n ** 18n, authority }
  return { signer: new LocalSigner(parts), keys, clock, history }
}

/** A withdrawal with the approvals of these keys. */
export function withdrawalOf(
  changes: Partial<PaidWithdrawal> = {},
  by: readonly (keyof typeof KEYS)[] = ['ann', 'bobCli'],
): PaidWithdrawal {
  const fields = {
    orgId: 'org',
    id: 'one',
    chainId: CHAIN,
    tokenId: NATIVE,
    amount: '1000',
    recipient: RECIPIENT,
    memo: null,
    reference: 'r-1',
    createdAt: new Date(START).toISOString(),
    ...changes,
  }
  const hash = withdrawalHash(fields)
  const approvals = by.map((name) => {
    const key = KEYS[name]
    return key.credential.kind === 'passkey' ? assertionOf(key, hash) : signatureOf(key, hash)
  })
  return { ...fields, approvals, ...changes }
}

/** A request to pay a withdrawal on an EVM chain. */
export function requestOf(withdrawal: PaidWithdrawal, nonce = 7, tip = 1n): SigningRequest {
  const { orgId, chainId, amount } = withdrawal
  return {
    orgId,
    chainId,
    from: FROM,
    payment: { kind: 'withdrawals', withdrawals: [withdrawal] },
    body: bodyOf(withdrawal.recipient, BigInt(amount), nonce, tip),
  }
}

/** A transaction of a native payment, unsigned. */
export function bodyOf(to: string, value: bigint, nonce: number, tip = 1n): Uint8Array {
  const fees = { gasLimit: 21_000n, maxFeePerGas: 10n ** 9n, maxPriorityFeePerGas: tip }
  const fields = { type: 'eip1559', chainId: 11_155_111n, nonce: BigInt(nonce) } as const
  const payment = { to, value, data: '0x', accessList: [] }
  const transaction = Transaction.prepare({ ...fields, ...payment, ...fees }, false)
  return transaction.toBytes({ includeSignature: false })
}
