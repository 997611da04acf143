import type { Catalogue } from '../catalogue/find.ts'
import { watchScope } from '../catalogue/scope.ts'
import { pathTypeOf } from '../chains/format-address.ts'
import type { Database, Tx } from '../store/database.ts'
import { INDEX_STEP } from './after-restore.ts'
import {
  FIRST_PLACE,
  type PathPlace,
  selectAccountsAfter,
  selectOwnWallets,
  selectWalletsByNumber,
  selectWalletsWithoutAccounts,
} from './check-rows.ts'
import { selectPlatformRows } from './platform-rows.ts'
import { type RowVerifier, isAuthenticAccount, isAuthenticWatch } from './row-mac.ts'
import type { StoredAccount } from './rows.ts'
import {
  FORGED,
  type TamperedRow,
  raiseTampered,
  tamperedAccount,
  tamperedWatch,
} from './tampered.ts'
import type { StoredWallet } from './wallet-rows.ts'
import { deriveAddress, isAuthentic } from './wallet.ts'
import { type StoredWatch, selectWatched } from './watch-rows.ts'

/** Accounts in one look: some 100 ms of derivations. */
const CHECKED_AT_ONCE = 500

/** Dependencies of the check of accounts. */
export interface Checking {
  database: Database
  catalogue: Catalogue
  serviceKey: RowVerifier
}

/** The result of one part, and where the next part begins; null after the last account. */
export interface CheckedAccounts {
  checked: number
  tampered: TamperedRow[]
  next: PathPlace | null
}

type Identity = StoredAccount['identity']

/**
 * Checks the accounts after a place, at most `CHECKED_AT_ONCE`: the MACs of the account and of its
 * watched address, the address against the xpub of its wallet, and that no index is missing between
 * them. The last look checks wallets without accounts and the organizations' own addresses as well.
 * Raises `account.tampered` for each row that is not as the service wrote it.
 */
export async function checkAccounts(
  checking: Checking,
  after: PathPlace = FIRST_PLACE,
): Promise<CheckedAccounts> {
  const { database } = checking
  const found = await database.snapshot((tx) => look(tx, checking, after))
  if (found.tampered.length > 0)
    await database.transaction((tx) => raiseTampered(tx, found.tampered))
  return found
}

/** The same of all accounts, for the command line. */
export async function checkAllAccounts(checking: Checking): Promise<Omit<CheckedAccounts, 'next'>> {
  const all = { checked: 0, tampered: new Array<TamperedRow>() }
  let after: PathPlace | null = FIRST_PLACE
  while (after !== null) {
    const { checked, tampered, next }: CheckedAccounts = await checkAccounts(checking, after)
    all.checked += checked
    all.tampered.push(...tampered)
    after = next
  }
  return all
}

async function look(tx: Tx, checking: Checking, after: PathPlace): Promise<CheckedAccounts> {
  const stored = await selectAccountsAfter(tx, { after, limit: CHECKED_AT_ONCE })
  const accounts = stored.map(({ identity }) => identity)
  const numbers = new Set([after.wallet, ...accounts.map(({ wallet }) => wallet)])
  const wallets = new Map(
    (await selectWalletsByNumber(tx, [...numbers])).map((wallet) => [wallet.number, wallet]),
  )
  const watched = await watchesOf(tx, checking.catalogue, accounts)
  const wrong = accounts.flatMap((account) => {
    const wallet = wallets.get(account.wallet)
    const watch = watched.get(`${account.chainId} ${account.address}`)
    const cause = faultOf(checking, { account, wallet, watch })
    return cause === null ? [] : [{ ...tamperedAccount(account), cause }]
  })
  const isLast = accounts.length < CHECKED_AT_ONCE
  const missing = gapsIn(wallets, { accounts, after, isLast })
  const rest = isLast ? await lookAtWallets(tx, checking) : []
  return {
    checked: accounts.length,
    tampered: [...wrong, ...missing, ...rest],
    next: isLast ? null : (accounts.at(-1) ?? null),
  }
}

/** The watched rows of accounts, by chain and address. */
async function watchesOf(
  tx: Tx,
  catalogue: Catalogue,
  accounts: readonly Identity[],
): Promise<Map<string, StoredWatch>> {
  const found = new Map<string, StoredWatch>()
  for (const chainId of new Set(accounts.map((account) => account.chainId))) {
    const entry = catalogue.chain(chainId)
    if (entry === null) continue
    const mine = accounts.filter((account) => account.chainId === chainId)
    const addresses = [...new Set(mine.map(({ address }) => address))]
    for (const watch of await selectWatched(tx, watchScope(entry), addresses))
      found.set(`${chainId} ${watch.address}`, watch)
  }
  return found
}

/** Describes what is wrong with an account; null if it is correct. */
function faultOf(
  { catalogue, serviceKey }: Checking,
  options: { account: Identity; wallet: StoredWallet | undefined; watch: StoredWatch | undefined },
): string | null {
  const { account, wallet, watch } = options
  if (!isAuthenticAccount(serviceKey, account)) return FORGED
  const entry = catalogue.chain(account.chainId)
  if (entry === null) return null
  if (watch === undefined) return 'its address is not watched: what reaches it is not seen'
  if (!isAuthenticWatch(serviceKey, watch)) return `its watched address: ${FORGED}`
  if (wallet === undefined) return `its wallet ${account.wallet} is missing`
  if (!isAuthentic(serviceKey, wallet)) return `its wallet ${wallet.number}: ${FORGED}`
  if (account.destinationTag !== null) return null
  const { index, address, chainId } = account
  const derived = deriveAddress(entry, wallet, { index, ...pathTypeOf(chainId, address) })
  if (derived === null || derived === address) return null
  return `its address is not the one of the index ${index} of its wallet`
}

/**
 * Indexes that were issued and have no account: each one is taken in the commit that inserts its
 * account, and only the restore of a backup skips some, up to a multiple of `INDEX_STEP`.
 */
function gapsIn(
  wallets: ReadonlyMap<number, StoredWallet>,
  options: { accounts: readonly Identity[]; after: PathPlace; isLast: boolean },
): TamperedRow[] {
  const { accounts, after, isLast } = options
  const gaps: TamperedRow[] = []
  const note = (number: number, from: number, to: number) => {
    const wallet = wallets.get(number)
    if (wallet?.purpose === 'deposit' && from < to && to % INDEX_STEP !== 0)
      gaps.push(missingFrom(wallet, { from, to }))
  }
  const close = ({ wallet, index }: Pick<PathPlace, 'wallet' | 'index'>) =>
    note(wallet, index + 1, wallets.get(wallet)?.nextIndex ?? 0)
  let before: Pick<PathPlace, 'wallet' | 'index'> = after
  for (const account of accounts) {
    const isSame = account.wallet === before.wallet
    if (!isSame) close(before)
    note(account.wallet, isSame ? before.index + 1 : 0, account.index)
    before = account
  }
  if (isLast) close(before)
  return gaps
}

function missingFrom(
  wallet: StoredWallet,
  { from, to }: { from: number; to: number },
): TamperedRow {
  const { orgId, chainId, number } = wallet
  const which = to - from === 1 ? `index ${from}` : `indexes ${from} to ${to - 1}`
  const cause = `accounts are missing: ${which} of the wallet ${number} were issued`
  return { table: 'wallets', subject: `wallet ${number} from ${from}`, orgId, chainId, cause }
}

/** Wallets without accounts, and settlement and gas wallets with their watched addresses. */
async function lookAtWallets(tx: Tx, { catalogue, serviceKey }: Checking): Promise<TamperedRow[]> {
  const empty = (await selectWalletsWithoutAccounts(tx)).filter(
    ({ nextIndex }) => nextIndex % INDEX_STEP !== 0,
  )
  const found = empty.map((wallet) => missingFrom(wallet, { from: 0, to: wallet.nextIndex }))
  const own = await selectOwnWallets(tx)
  for (const chainId of new Set(own.map((wallet) => wallet.chainId))) {
    if (catalogue.chain(chainId) === null) continue
    const rows = await selectPlatformRows(tx, { chainId })
    const authentic = rows.filter((row) => isAuthenticWatch(serviceKey, row))
    found.push(...rows.filter((row) => !authentic.includes(row)).map(tamperedWatch))
    const numbers = new Set(authentic.map(({ wallet }) => wallet))
    const lost = own.filter((one) => one.chainId === chainId && !numbers.has(one.number))
    found.push(...lost.map(unwatched))
  }
  return found
}

function unwatched({ orgId, chainId, number, purpose }: StoredWallet): TamperedRow {
  const cause = `no authentic row watches its ${purpose} address`
  return { table: 'wallets', subject: `wallet ${number}`, orgId, chainId, cause }
}
