import type { Millis } from '../../base/clock.ts'
import type { ChainId } from '@sluice/wire'
import type { ServiceKey } from '../../keys/service-key.ts'
import type { SpendMeans } from '../../transactions/core/mandate.ts'
import type { Tx } from '../../store/database.ts'
import type { Withdrawal } from '../withdrawal.ts'

/** What it takes to bring the withdrawals of a chain on their way. */
export interface WithdrawalMeans extends SpendMeans {
  /** Vouches for withdrawals, approvals and users. */
  serviceKey: ServiceKey
  /** How long an approval counts. */
  approvalMaxAgeMs: Millis
  /** How long a withdrawal waits for gas, or for funds, before it fails or is told of. */
  gasWaitMs: Millis
  /** Hears of an organization whose gas does not suffice, in the commit that notes it. */
  gasShort(tx: Tx, short: { orgId: string; chainId: ChainId }): Promise<void>
  /** Where one transaction can pay several: so many at most; a hundred where it is left out. */
  batchMax?: number
  /**
   * Organizations and tokens of which less is there than the ledger says, each as
   * `<organization> <token>`: nothing of them is signed (E09, I3).
   */
  short?: ReadonlySet<string>
  /**
   * Withdrawals that met with an outage, or found no gas, and are looked at after all others; one
   * set for each term.
   */
  last?: Set<string>
  /** Withdrawals that an operator was told of in this term; one set for each term. */
  told?: Set<string>
}

/** Whether less is there of its token than the ledger says. */
export function isShort(
  { short }: Pick<WithdrawalMeans, 'short'>,
  { orgId, tokenId }: Pick<Withdrawal, 'orgId' | 'tokenId'>,
): boolean {
  return short?.has(`${orgId} ${tokenId}`) === true
}
