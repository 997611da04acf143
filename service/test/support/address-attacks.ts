/** The organization and chain whose rows a thief changes, and an address of the thief. */
export interface Target {
  orgId: string
  chainId: string
  thief: string
}

type Statements = (target: Target) => string

/** Changes of one field of the account of `ann`. */
export const ACCOUNT_CHANGES: readonly (readonly [field: string, Statements])[] = [
  ['address', (target) => changeAccount(target, `address = '${target.thief}'`)],
  ['user', (target) => changeAccount(target, `external_user_id = 'mallory'`)],
  ['index', (target) => changeAccount(target, 'path_index = 77')],
  ['wallet', (target) => changeAccount(target, 'wallet_number = 77')],
  ['MAC', (target) => changeAccount(target, `mac = sha256('forged')`)],
]

/** Changes of one field of the settlement and gas addresses. */
export const OWN_CHANGES: readonly (readonly [field: string, Statements])[] = [
  [
    'address',
    (target) => `${changeOwn(target, `address = '${target.thief}'`)} and purpose = 'gas'`,
  ],
  [
    'purpose',
    (target) =>
      changeOwn(target, `purpose = case purpose when 'gas' then 'settlement' else 'gas' end`),
  ],
  ['path', (target) => changeOwn(target, 'wallet_number = wallet_number + 100')],
]

/**
 * Changes after which a deposit to the address of `ann` must not be credited, and which rows are
 * left that say whose the address is.
 */
export const DEPOSIT_CHANGES: readonly (readonly [
  name: string,
  authentic: 'account' | 'watched address' | 'none',
  Statements,
])[] = [
  [
    'its watched address names another user',
    'account',
    (target) =>
      changeWatch(target, `external_user_id = 'bob', account_id = ${idOf(target, 'bob')}`),
  ],
  [
    'its watched address names another account',
    'account',
    (target) => changeWatch(target, `account_id = ${idOf(target, 'bob')}`),
  ],
  [
    'its watched address is another kind',
    'account',
    (target) => changeWatch(target, `purpose = 'gas'`),
  ],
  [
    'its account has another address',
    'watched address',
    (target) => changeAccount(target, `address = 'thief'`),
  ],
  [
    'its account has another user',
    'watched address',
    (target) => changeAccount(target, `external_user_id = 'eve'`),
  ],
  [
    'both rows have another user',
    'none',
    (target) => `
      ${changeWatch(target, `external_user_id = 'eve'`)};
      ${changeAccount(target, `external_user_id = 'eve'`)}`,
  ],
]

/** Writes the row of the account of `bob` over the one of `ann`, with its MAC. */
export function replayAccount(target: Target): string {
  const bob = `(select address from watched_addresses where ${rowOf(target, 'bob')})`
  return `
    update accounts set address = 'away' where ${rowOf(target, 'bob')};
    update accounts a
       set address = ${bob}, path_index = b.path_index, mac = b.mac
      from accounts b
     where ${rowOf(target, 'ann', 'a')} and ${rowOf(target, 'bob', 'b')};`
}

/** Gives the account of each of `ann` and `bob` to the other. */
export function swapAccounts(target: Target): string {
  return `
    update accounts set external_user_id = 'x' where ${rowOf(target, 'ann')};
    update accounts set external_user_id = 'ann' where ${rowOf(target, 'bob')};
    update accounts set external_user_id = 'bob' where ${rowOf(target, 'x')};`
}

/** Inserts an account of `eve` with the address of the thief and the MAC of the one of `ann`. */
export function insertAccount(target: Target): string {
  return `
    insert into accounts
    select org_id, gen_random_uuid(), chain_id, 'eve', '${target.thief}', null, wallet_number, 9,
           created_at, updated_at, mac
      from accounts
     where ${rowOf(target, 'ann')}`
}

/** Inserts a second gas address, the one of the thief, with the MAC of the first. */
export function insertGasAddress({ orgId, chainId, thief }: Target): string {
  return `
    insert into watched_addresses
    select scope, '${thief}', org_id, chain_id, purpose, account_id, external_user_id, now(),
           null, wallet_number, path_index, mac
      from watched_addresses
     where org_id = '${orgId}' and chain_id = '${chainId}' and purpose = 'gas'`
}

/** The condition that a row of `accounts` or `watched_addresses` is the one of a user. */
export function rowOf(
  { orgId, chainId }: Pick<Target, 'orgId' | 'chainId'>,
  user: string,
  table = '',
): string {
  const prefix = table === '' ? '' : `${table}.`
  return (
    `${prefix}org_id = '${orgId}' and ${prefix}chain_id = '${chainId}' ` +
    `and ${prefix}external_user_id = '${user}'`
  )
}

function changeAccount(target: Target, change: string): string {
  return `update accounts set ${change} where ${rowOf(target, 'ann')}`
}

function changeWatch(target: Target, change: string): string {
  return `update watched_addresses set ${change} where ${rowOf(target, 'ann')}`
}

function changeOwn({ orgId, chainId }: Target, change: string): string {
  return `
    update watched_addresses set ${change}
     where org_id = '${orgId}' and chain_id = '${chainId}' and purpose <> 'deposit'`
}

function idOf(target: Target, user: string): string {
  return `(select id from accounts where ${rowOf(target, user)})`
}
