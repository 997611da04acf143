import type { ChainId } from '@sluice/wire'
import { readOwnAddress } from '../../accounts/own-address.ts'
import type { Millis } from '../../base/clock.ts'
import { readSuspended } from '../../catalogue/token-check.ts'
import type { ServiceKey } from '../../keys/service-key.ts'
import { CLAIM } from '../../ledger/account.ts'
import { readBalance } from '../../ledger/balance.ts'
import type { Tx } from '../../store/database.ts'
import { isAlertOpen } from '../../alerts/raise-alert.ts'
import { hasUnsettled } from '../../transactions/core/unsettled-rows.ts'
import type { SpendDeps } from '../../transactions/core/payment-request.ts'
import { isHalted } from '../../transactions/core/read.ts'
import { countApprovals } from '../approve/recount.ts'
import { findForgery } from '../find-forgery.ts'
import { readAvailable } from '../reserve.ts'
import { lockWithdrawals } from '../rows.ts'
import type { Withdrawal } from '../withdrawal.ts'
import { type Facts, hasWaited } from './decide.ts'

/** Dependencies of paying the withdrawals of a chain. */
export interface WithdrawalDeps extends SpendDeps {
  /** Authenticates withdrawals, approvals and users. */
  serviceKey: ServiceKey
  /** How long an approval counts. */
  approvalMaxAgeMs: Millis
  /** How long a withdrawal waits for gas, a fee or funds before it fails or raises an alert. */
  gasWaitMs: Millis
  /** Called for an organization that lacks gas, in the commit that notes it. */
  gasShort(tx: Tx, short: { orgId: string; chainId: ChainId }): Promise<void>
  /** Withdrawals that one Bitcoin transaction pays at most; 100 if left out. */
  batchMax?: number
  /**
   * Tokens of organizations that hold less on the chain than in the ledger, each as
   * `<organization> <token>`: their withdrawals are not signed (E09, I3).
   */
  short?: ReadonlySet<string>
  /**
   * Withdrawals that met an outage or found no gas, and come after all others; one set for each
   * term.
   */
  last?: Set<string>
  /** Tampered withdrawals that raised an alert in this term; one set for each term. */
  told?: Set<string>
}

export type Inspecting = Pick<
  WithdrawalDeps,
  'catalogue' | 'entry' | 'serviceKey' | 'approvalMaxAgeMs' | 'gasWaitMs' | 'short'
>

/**
 * Locks those of the withdrawals that are pending, and reads all that decides about them. They stay
 * pending until the commit.
 */
export async function inspect(
  tx: Tx,
  deps: Inspecting,
  { orgId, ids, isGasGone = false }: { orgId: string; ids: readonly string[]; isGasGone?: boolean },
): Promise<Facts[]> {
  const { entry, gasWaitMs } = deps
  const { id: chainId } = entry
  const locked = await lockWithdrawals(tx, { orgId, ids })
  const suspended = await readSuspended(tx)
  const address = await readOwnAddress(tx, { orgId, chainId, purpose: 'settlement' })
  const payer = address && { address, isHalted: await isHalted(tx, { chainId, address }) }
  const shared = { payer, isGasGone, gasWaitMs, hasGasWallet: entry.hasGasWallets }
  const found: Facts[] = []
  for (const withdrawal of locked) {
    if (withdrawal.status !== 'Pending') continue
    const isTokenStopped = isStopped(deps, suspended, withdrawal)
    found.push({ ...shared, isTokenStopped, ...(await readRecords(tx, deps, withdrawal)) })
  }
  return found
}

/** Whether nothing of its token is signed until an operator has acted (E09). */
export function isStopped(
  { catalogue, short }: Pick<Inspecting, 'catalogue' | 'short'>,
  suspended: ReadonlySet<string>,
  { orgId, tokenId }: Pick<Withdrawal, 'orgId' | 'tokenId'>,
): boolean {
  const isShort = short?.has(`${orgId} ${tokenId}`) === true
  return isShort || suspended.has(tokenId) || catalogue.token(tokenId) === null
}

async function readRecords(tx: Tx, deps: Inspecting, withdrawal: Withdrawal) {
  const { serviceKey, approvalMaxAgeMs: maxAgeMs, gasWaitMs } = deps
  const now = tx.clock.now()
  const isLate = hasWaited({ withdrawal, now, gasWaitMs }, 'funds')
  return {
    withdrawal,
    now,
    approvals: await countApprovals(tx, serviceKey, { withdrawal, maxAgeMs }),
    forgery: await findForgery(tx, serviceKey, withdrawal),
    available: await readAvailable(tx, withdrawal),
    isRefused:
      withdrawal.waitingFor === 'operator' &&
      (await isAlertOpen(tx, { code: 'signer.refused', subject: withdrawal.id })),
    mayReceive: !isLate || (await mayReceive(tx, deps, withdrawal)),
  }
}

/**
 * Whether missing funds may still arrive: by a sweep if there are deposit addresses; otherwise from
 * a payment of the organization that is not settled, or from unconfirmed deposits.
 */
async function mayReceive(
  tx: Tx,
  { entry }: Pick<Inspecting, 'entry'>,
  { orgId, chainId, tokenId }: Withdrawal,
): Promise<boolean> {
  if (entry.hasGasWallets || (await hasUnsettled(tx, { orgId, chainId }))) return true
  return (await readBalance(tx, { orgId, chainId, tokenId, account: CLAIM.unconfirmed })) > 0n
}
