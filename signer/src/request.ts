import type { Approval } from './approve/approval.ts'
import type { Family } from './decode/decoded.ts'
import type { LastSigned } from './history.ts'
import type { SignedOrder } from './policy/policy.ts'

/** A wallet: the account level of BIP-44. */
export interface WalletPath {
  namespace: Family
  isTestnet: boolean
  /** Unique in the installation. */
  wallet: number
  /** Bitcoin only; P2WPKH by default. */
  addressType?: 'p2wpkh' | 'p2tr'
}

/** A key: `m/purpose'/coin'/wallet'/branch/index`. */
export interface KeyPath extends WalletPath {
  branch: 0 | 1
  index: number
}

/** A secp256k1 signature; `recovery` is 0 for BIP-340. */
export interface Signature {
  r: bigint
  s: bigint
  recovery: number
}

/** The seed, which only the signer's process opens. */
export interface SigningKeys {
  /** Of the seed: 8 hexadecimal digits, not secret. */
  readonly fingerprint: string
  accountXpub(at: WalletPath): string
  /** 33 bytes, compressed. */
  publicKey(at: KeyPath): Uint8Array
  /** Signs a digest of 32 bytes; the path decides the scheme. */
  sign(at: KeyPath, digest: Uint8Array): Signature
  destroy(): void
}

/** The fields of a withdrawal that its canonical hash covers, as the API returns them. */
export interface WithdrawalFields {
  orgId: string
  id: string
  /** CAIP-2. */
  chainId: string
  /** CAIP-19. */
  tokenId: string
  /** Base units, decimal. */
  amount: string
  recipient: string
  memo: string | null
  reference: string
  createdAt: string
}

export interface PaidWithdrawal extends WithdrawalFields {
  approvals?: Approval[]
}

/** The purpose of a transaction. */
export type Payment =
  /** Pays exactly these withdrawals; several on Bitcoin only. */
  | { kind: 'withdrawals'; withdrawals: readonly PaidWithdrawal[] }
  /**
   * Moves the organization's own money, or none: sweeps, top-ups, lent energy, tickets, fillers.
   * `id`: the sweep or spend; it has one slot, like a withdrawal. `to`: the key of the recipient,
   * null for the sender itself.
   */
  | { kind: 'inward'; id: string; to: KeyPath | null }

/** An output that a Bitcoin transaction spends, in the order of its inputs. */
export interface SpentOutput {
  path: KeyPath
  /** Satoshi. */
  amount: bigint
}

/** A request to sign one transaction. */
export interface SigningRequest {
  orgId: string
  /** CAIP-2. */
  chainId: string
  payment: Payment
  /** The sender; on Bitcoin the address that takes the change. */
  from: KeyPath
  /** The unsigned transaction. */
  body: Uint8Array
  /** Bitcoin only. */
  inputs?: readonly SpentOutput[]
}

/** The holder of the seed, in this or in another process. */
export interface Signer {
  /** The fingerprint of the seed. */
  fingerprint(): Promise<string>
  /**
   * The xpub of a wallet, which belongs to this organization from then on. Refused with
   * `other-organization` for the wallet of another.
   */
  accountXpub(orgId: string, at: WalletPath): Promise<string>
  /** The public key at a path: 33 bytes, compressed. Refused as `accountXpub`. */
  publicKey(orgId: string, at: KeyPath): Promise<Uint8Array>
  /**
   * Signs a transaction: one signature for each input on Bitcoin, else one. Throws Refused if it
   * does anything but the payment, or if the payment was signed under another slot.
   */
  sign(request: SigningRequest): Promise<readonly Signature[]>
  /**
   * The withdrawals of the last transaction that a sender signed for new ones, with their slot;
   * null without any, and on TRON. A caller that does not know that transaction must pay them
   * first, because another payment would take their slot.
   */
  lastSigned(orgId: string, chainId: string, from: KeyPath): Promise<LastSigned | null>
  /**
   * Takes a policy, a pause or a resume. Returns when it takes effect (ISO 8601). Refused with
   * `quorum-missing` or `stale-order`.
   */
  order(order: SignedOrder): Promise<string>
}
