import { type RowVerifier, isGenuineAccount } from '../accounts/row-mac.ts'
import { selectAccountsById } from '../accounts/rows.ts'
import { raiseTampered, tamperedAccount } from '../accounts/tampered.ts'
import { raiseAlert } from '../journal/raise-alert.ts'
import type { Tx } from '../store/database.ts'
import type { Deposit } from './deposit.ts'
import { renameUser } from './rows.ts'
import { type Doubt, doubt } from './verdict.ts'

/** Why a deposit is held whose account or watched address was changed in the database. */
export const TAMPERED = 'the record of its account was changed in the database (account.tampered)'

/** The same as a verdict. */
export const NOT_GENUINE: Doubt = doubt(TAMPERED)

type Owned = Pick<
  Deposit,
  'id' | 'orgId' | 'accountId' | 'accountChainId' | 'externalUserId' | 'address'
>

/**
 * Ids of those deposits whose account is not as the service wrote it, or says another user, chain
 * or address than the deposit does. Raises the alert for each account whose MAC does not match.
 */
export async function tamperedAmong(
  tx: Tx,
  serviceKey: RowVerifier,
  deposits: readonly Owned[],
): Promise<ReadonlySet<string>> {
  if (deposits.length === 0) return new Set()
  const keys = deposits.map(({ orgId, accountId: id }) => ({ orgId, id }))
  const genuine = new Map<string, Owned>()
  for (const { identity } of await selectAccountsById(tx, keys)) {
    const { orgId, id: accountId, chainId: accountChainId, externalUserId, address } = identity
    if (!isGenuineAccount(serviceKey, identity)) {
      await raiseTampered(tx, [tamperedAccount(identity)])
      continue
    }
    const owner = { orgId, accountId, accountChainId, externalUserId, address }
    genuine.set(`${orgId} ${accountId}`, { ...owner, id: '' })
  }
  const wrong = deposits.filter((deposit) => {
    const account = genuine.get(`${deposit.orgId} ${deposit.accountId}`)
    return (
      account?.address !== deposit.address ||
      account.externalUserId !== deposit.externalUserId ||
      account.accountChainId !== deposit.accountChainId
    )
  })
  return new Set(wrong.map(({ id }) => id))
}

/**
 * Gives a deposit that was recorded with another user to the user of its account; null unless that
 * account is genuine and has the address of the deposit.
 */
export async function attributeAnew(
  tx: Tx,
  serviceKey: RowVerifier,
  deposit: Deposit,
): Promise<Deposit | null> {
  const { orgId, accountId: id, accountChainId, address } = deposit
  const [found] = await selectAccountsById(tx, [{ orgId, id }])
  if (found === undefined || !isGenuineAccount(serviceKey, found.identity)) return null
  const { externalUserId, ...account } = found.identity
  if (account.address !== address || account.chainId !== accountChainId) return null
  return renameUser(tx, deposit, externalUserId)
}

/** Raises `deposit.held` for deposits that were held when they were detected. */
export async function doubtTampered(tx: Tx, deposits: readonly Deposit[]): Promise<void> {
  for (const { id, status, address, chainId, tokenId, txnHash } of deposits) {
    if (status !== 'Held') continue
    await raiseAlert(tx, {
      code: 'deposit.held',
      subject: id,
      message: `A deposit to ${address} is held: ${TAMPERED}.`,
      details: { chainId, tokenId, txnHash },
    })
  }
}
