import type { RefusalCode, Signer } from '@sluice/signer'
import { sum } from '../../base/amount.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { ChainEntry } from '../../catalogue/chains.ts'
import type { Catalogue } from '../../catalogue/find.ts'
import type { ChainAdapter } from '../../chains/chain-adapter.ts'
import type { Address, Intent, Payee } from '../../chains/port.ts'
import type { FeeCaps, Terms } from '../../chains/spending.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { Database, Tx } from '../../store/database.ts'
import type { Lease } from '../../store/lease.ts'
import type { SpendPoint } from './crash-points.ts'
import type { HooksByPurpose } from './hooks.ts'
import type { Purpose, Spend } from './spend.ts'

/** A request for one payment: for whom, and on which terms. */
export interface PaymentRequest {
  purpose: Purpose
  orgId: string
  /** The withdrawal, sweep or top-up: it is paid by one spend, ever. */
  subjectId: string
  intent: Intent
  /** As the adapter quoted them. */
  terms: Terms
  /**
   * Runs after the sender is locked and before the signature: the guarded update and every check of
   * the requesting module on its own rows. Returns the intent as those rows state it. Null if it
   * was already paid or is no longer wanted: the transaction is rolled back.
   */
  claim(tx: Tx): Promise<Intent | null>
  /** Called in the same transaction after the bytes are stored: status, hash, events. */
  sent(tx: Tx, spend: Spend): Promise<void>
}

/** One who is paid, and on whose behalf: the withdrawal that asked. */
export interface Payment extends Payee {
  subjectId: string
}

/** A request for several native payments in one Bitcoin transaction. */
export interface JointPaymentRequest {
  orgId: string
  /** The settlement address: what is left of the coins returns to it. */
  from: Address
  /** Each is paid by one spend, ever. */
  payments: readonly Payment[]
  /** As the adapter quoted them. */
  terms: Terms
  /**
   * As of a mandate; answers with those of the payments that are wanted still, as their own rows
   * state them, in the order in which they are to be paid.
   */
  claim(tx: Tx): Promise<readonly Payment[]>
  /** As of a mandate; `paid` are those that the transaction pays. */
  sent(tx: Tx, spend: Spend, paid: readonly Payment[]): Promise<void>
}

/** Outcome of a request. Only `sent` has changed anything. */
export type Sent =
  /** Signed and stored; it goes to the nodes until a block has it. */
  | { outcome: 'sent'; spend: Spend }
  /** `claim` said no. */
  | { outcome: 'declined' }
  /** The sender has as many unmined spends as it may, or we have not read as far as the nodes. */
  | { outcome: 'busy' }
  /** The organization's gas on the chain, less what unmined spends may cost, is below the fee. */
  | { outcome: 'short-of-gas'; available: bigint; needed: bigint }
  /** The ledger places less on the sender than the spend and its fee take, unmined ones counted. */
  | { outcome: 'short-of-native' | 'short-of-token'; place: bigint; needed: bigint }
  /** The sender signs nothing until an operator has looked (`sluice sender resume`). */
  | { outcome: 'halted'; cause: string }
  /**
   * The chain is frozen, halted or disputed, loses blocks just now, or was never reached; or the
   * ledger or the audit log is broken, which halts signing on all chains.
   */
  | { outcome: 'frozen' }
  /** The signer refuses the transaction. */
  | { outcome: 'refused'; code: RefusalCode; says: string }

/** When coins are joined: from so many on that are free, and below such a rate. */
export interface Joining {
  fromCoins: number
  /** Base units for a thousand virtual bytes. */
  belowPerKvb: bigint
}

/** Dependencies of spending on one chain, for one term of its lease. */
export interface SpendDeps {
  database: Database
  adapter: ChainAdapter
  catalogue: Catalogue
  entry: ChainEntry
  keys: {
    signer: Pick<Signer, 'sign' | 'publicKey' | 'lastSigned'>
    serviceKey: Pick<ServiceKey, 'verify'>
  }
  /** Fences every signature. */
  lease: Lease
  /** Aborts when the lease is lost: no broadcast after that. */
  term?: AbortSignal
  /** Fee caps of replacements and fillers. */
  caps: FeeCaps
  clock: Clock
  log: Log
  /**
   * Senders whose nonces were compared with the chain's in this term; one for each term. Without
   * one every send compares (W25).
   */
  compared?: Set<string>
  /** Hooks of each purpose, for signatures, replacements and spends that are given up. */
  hooks: HooksByPurpose
  /** Tickets that each account is to have that all users share; left out: none. */
  tickets?: number
  /** When to consolidate coins; not set if never. */
  joining?: Joining
  /** Shared accounts that were found ready in this term (`readyBaseAccounts`). */
  readied?: Set<string>
  /**
   * Checks that other nodes follow our branch, and raises an alert if they do not (N05). Called
   * before the first signature of a round. Not set if there are no other nodes.
   */
  askBranch?: () => Promise<void>
  /** Called at each point that a step passes; tests end the process there. */
  crash?: (point: SpendPoint) => void
}

/**
 * The intent that pays these, in their order. Without payments everything returns to the sender.
 */
export function jointIntent(
  base: Pick<Intent, 'chainId' | 'tokenId' | 'from'>,
  payments: readonly Payment[],
): Intent {
  const payees = payments.map(({ to, amount }) => ({ to, amount }))
  const to = payees[0]?.to ?? base.from
  return { ...base, to, amount: sum(payees.map(({ amount }) => amount)), memo: null, payees }
}
