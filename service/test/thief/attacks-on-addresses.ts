import {
  ACCOUNT_CHANGES,
  DEPOSIT_CHANGES,
  OWN_CHANGES,
  insertAccount,
  insertGasAddress,
  replayAccount,
  rowOf,
  swapAccounts,
  type Target,
} from '../support/address-attacks.ts'
import { CHAIN } from '../support/withdrawal-desk.ts'
import { type Attack, REFUSED, must, noticed, withoutTriggers } from './attack.ts'
import { RECIPIENTS, type Scene } from './scene.ts'

type Afterwards = NonNullable<Attack['afterwards']>

const NOTICED = noticed('account.tampered')
const DELETE_ACCOUNT = (scene: Scene) =>
  `delete from watched_addresses where ${rowOf(targetOf(scene), 'bob')};
   delete from accounts where ${rowOf(targetOf(scene), 'bob')}`

/** The deposit address of an end user, which the API returns. */
export const ON_ACCOUNTS: readonly Attack[] = [
  ...ACCOUNT_CHANGES.map(
    ([field, change]): Attack => ({
      role: 'sluice_engine',
      name: `changes the ${field} of an account`,
      sql: (scene) => change(targetOf(scene)),
      afterwards: refusesAddress(field === 'user' ? 'mallory' : 'ann'),
      expectation: NOTICED,
    }),
  ),
  {
    role: 'sluice_api',
    name: 'changes the address of an account',
    sql: (scene) => `update accounts set address = 'thief' where ${rowOf(targetOf(scene), 'ann')}`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_api',
    name: 'inserts an account',
    sql: (scene) => insertAccount(targetOf(scene)),
    afterwards: refusesAddress('eve'),
    expectation: NOTICED,
  },
  {
    role: 'sluice_engine',
    name: 'writes the row of an account over another, with its MAC',
    sql: (scene) => replayAccount(targetOf(scene)),
    afterwards: refusesAddress('ann', 'bob'),
    expectation: NOTICED,
  },
  {
    role: 'sluice_engine',
    name: 'swaps the accounts of two users',
    sql: (scene) => swapAccounts(targetOf(scene)),
    afterwards: refusesAddress('ann', 'bob'),
    expectation: NOTICED,
  },
  {
    role: 'sluice_engine',
    name: 'deletes an account',
    sql: DELETE_ACCOUNT,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'deletes an account',
    sql: DELETE_ACCOUNT,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'switches triggers off and deletes an account',
    sql: (scene) => withoutTriggers(['accounts'], DELETE_ACCOUNT(scene)),
    afterwards: (scene) => scene.audit(),
    expectation: NOTICED,
  },
]

/** The settlement and gas addresses, to which operators and sweeps pay. */
export const ON_OWN_ADDRESSES: readonly Attack[] = [
  ...OWN_CHANGES.map(
    ([field, change]): Attack => ({
      role: 'sluice_engine',
      name: `changes the ${field} of an own address`,
      sql: (scene) => change(targetOf(scene)),
      afterwards: refusesOwnAddresses,
      expectation: NOTICED,
      stopsSpender: field === 'purpose',
    }),
  ),
  {
    role: 'sluice_engine',
    name: 'writes an address of the thief over the settlement address',
    sql: ({ orgId }) => `
      update watched_addresses set address = '${RECIPIENTS.thief}'
       where org_id = '${orgId}' and purpose = 'settlement'`,
    afterwards: refusesOwnAddresses,
    expectation: NOTICED,
    stopsSpender: true,
  },
  {
    role: 'sluice_api',
    name: 'inserts a second gas address',
    sql: (scene) => insertGasAddress(targetOf(scene)),
    afterwards: refusesOwnAddresses,
    expectation: NOTICED,
  },
  {
    role: 'sluice_api',
    name: 'changes a gas address',
    sql: () => `update watched_addresses set address = 'thief' where purpose = 'gas'`,
    expectation: REFUSED,
  },
  {
    role: 'sluice_owner',
    name: 'deletes a gas address',
    sql: () => `delete from watched_addresses where purpose = 'gas'`,
    afterwards: (scene) => scene.audit(),
    expectation: NOTICED,
  },
]

/** The user who is credited with a deposit. */
export const ON_DEPOSITS: readonly Attack[] = [
  ...DEPOSIT_CHANGES.map(
    ([name, , change]): Attack => ({
      role: 'sluice_engine',
      name: `changes rows of a deposit address: ${name}`,
      sql: (scene) => change(targetOf(scene)),
      afterwards: holdsDeposit,
      expectation: NOTICED,
    }),
  ),
  {
    role: 'sluice_engine',
    name: 'gives a deposit that is not confirmed to another user',
    sql: ({ orgId }) => `
      update incoming_transfers set external_user_id = 'bob'
       where org_id = '${orgId}' and external_user_id = 'ann'`,
    expectation: noticed('deposit.held'),
  },
  {
    role: 'sluice_owner',
    name: 'deletes a watched address',
    sql: (scene) => `delete from watched_addresses where ${rowOf(targetOf(scene), 'ann')}`,
    afterwards: (scene) => scene.audit(),
    expectation: NOTICED,
  },
]

function targetOf({ orgId }: Scene): Target {
  return { orgId, chainId: CHAIN, thief: RECIPIENTS.thief }
}

/** The API does not return the addresses of these users, and never the thief's. */
function refusesAddress(...users: readonly string[]): Afterwards {
  return async (scene) => {
    for (const user of users) must(await scene.askAddress(user), 500, 'tampered')
    const { text } = await scene.read('/accounts')
    if (text.toLowerCase().includes(RECIPIENTS.thief)) throw new Error(`listed: ${text}`)
  }
}

async function refusesOwnAddresses(scene: Scene): Promise<void> {
  for (const path of ['/gas-station', '/portfolio']) must(await scene.read(path), 500, 'tampered')
}

/** Credits deposits of other users, and none to the changed address from now on. */
async function holdsDeposit(scene: Scene): Promise<void> {
  await scene.receive()
  const credited = (await scene.credited()).filter(({ amount }) => amount === 5n)
  const paidTo = credited.map((one) => one.paidTo)
  if (paidTo.join() !== 'bob') throw new Error(`credited what was paid to ${paidTo.join()}`)
}
