import { type RowVerifier, isAuthenticAccount } from '../accounts/row-mac.ts'
import { selectAccountsById } from '../accounts/rows.ts'
import { raiseTampered, tamperedAccount, tamperedWatch } from '../accounts/tampered.ts'
import { matchAddresses } from '../accounts/watch.ts'
import type { ChainEntry } from '../catalogue/chains.ts'
import { watchScope } from '../catalogue/scope.ts'
import type { Tx } from '../store/database.ts'
import {
  type Deposit,
  type Funding,
  type IncomingTransfer,
  isDeposit,
  isFunding,
} from './deposit.ts'
import { renameUser } from './rows.ts'
import { type Doubt, doubt } from './verdict.ts'

/** Why a transfer is held whose account or watched address was changed in the database. */
export const TAMPERED = 'the record of its account was changed in the database (account.tampered)'

/** The same as a verdict. */
export const NOT_GENUINE: Doubt = doubt(TAMPERED)

interface Proving {
  serviceKey: RowVerifier
  entry: ChainEntry
}

/**
 * Ids of those transfers whose account or own address is not as the service wrote it, or does not
 * match the transfer. Raises an alert for each row with a wrong MAC.
 */
export async function tamperedAmong(
  tx: Tx,
  proving: Proving,
  transfers: readonly IncomingTransfer[],
): Promise<ReadonlySet<string>> {
  const deposits = await tamperedDeposits(tx, proving, transfers.filter(isDeposit))
  const fundings = await tamperedFundings(tx, proving, transfers.filter(isFunding))
  return new Set([...deposits, ...fundings].map(({ id }) => id))
}

async function tamperedDeposits(
  tx: Tx,
  { serviceKey }: Proving,
  deposits: readonly Deposit[],
): Promise<Deposit[]> {
  if (deposits.length === 0) return []
  const keys = deposits.map(({ orgId, accountId: id }) => ({ orgId, id }))
  const authentic = new Map<string, { address: string; externalUserId: string; chainId: string }>()
  for (const { identity } of await selectAccountsById(tx, keys)) {
    if (isAuthenticAccount(serviceKey, identity)) {
      authentic.set(`${identity.orgId} ${identity.id}`, identity)
    } else await raiseTampered(tx, [tamperedAccount(identity)])
  }
  return deposits.filter(({ orgId, accountId, address, externalUserId, accountChainId }) => {
    const account = authentic.get(`${orgId} ${accountId}`)
    return (
      account?.address !== address ||
      account.externalUserId !== externalUserId ||
      account.chainId !== accountChainId
    )
  })
}

async function tamperedFundings(
  tx: Tx,
  { serviceKey, entry }: Proving,
  fundings: readonly Funding[],
): Promise<Funding[]> {
  if (fundings.length === 0) return []
  const addresses = fundings.map(({ address }) => address)
  const watched = await matchAddresses(tx, serviceKey, { scope: watchScope(entry), addresses })
  const tampered = fundings.filter(({ address, orgId, purpose }) => {
    const own = watched.get(address)
    return own?.proof !== 'authentic' || own.orgId !== orgId || own.purpose !== purpose
  })
  await raiseTampered(tx, tampered.map(tamperedWatch))
  return tampered
}

/**
 * Gives a deposit that was recorded with another user to the user of its account; null unless that
 * account is authentic and has the address of the deposit.
 */
export async function attributeAnew(
  tx: Tx,
  serviceKey: RowVerifier,
  deposit: Deposit,
): Promise<Deposit | null> {
  const { orgId, accountId: id, accountChainId, address } = deposit
  const [found] = await selectAccountsById(tx, [{ orgId, id }])
  if (found === undefined || !isAuthenticAccount(serviceKey, found.identity)) return null
  const { externalUserId, ...account } = found.identity
  if (account.address !== address || account.chainId !== accountChainId) return null
  return renameUser(tx, deposit, externalUserId)
}
