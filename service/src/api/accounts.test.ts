import type { Account as AccountView, Deposit as DepositView } from '@sluice/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Door,
  ETHER,
  ETHEREUM,
  openDoor,
  refusalIn,
  SEPOLIA,
  type Tenant,
} from '../../test/support/door.ts'
import { type Account, parseExternalUserId } from '../accounts/account.ts'
import { noteBaseAccount } from '../accounts/base-account.ts'
import { openAccount } from '../accounts/open.ts'
import { openOwnAddress } from '../accounts/own-address.ts'
import { startChain } from '../catalogue/chain-state.ts'
import { nativeTokenId } from '../catalogue/chains.ts'
import { brandXrplAddress, formatXAddress } from '../chains/xrpl/address.ts'

const XRPL = 'xrpl:testnet'

let door: Door
let tenant: Tenant
let ann: Account
let bob: Account
beforeAll(async () => {
  door = await openDoor()
  tenant = await door.found('Tags')
  ;[ann, bob] = await openBoth()
})
afterAll(() => door.close())

describe('GET /accounts by an X-address', () => {
  test('returns the account of its tag [X08]', async () => {
    expect(await found({ tag: bob.destinationTag })).toEqual(['bob'])
    expect(await found({ tag: ann.destinationTag }, `&chainId=${XRPL}`)).toEqual(['ann'])
    expect(await found({ tag: 1 })).toEqual([])
  })

  test('returns all accounts of the address when it has no tag [X08]', async () => {
    expect(await found({ tag: null })).toEqual(expect.arrayContaining(['ann', 'bob']))
  })

  test('finds no account on the other network and is invalid on other chains [X08]', async () => {
    const tag = bob.destinationTag
    expect(await found({ tag, isTestnet: false })).toEqual([])
    expect(await found({ tag, isTestnet: false }, `&chainId=${XRPL}`)).toBe('address')
    expect(await found({ tag }, `&chainId=${ETHEREUM}`)).toBe('address')
  })
})

test('GET /payments with a deposit address as q returns its deposits', async () => {
  const issue = async (userId: string) => {
    const query = new URLSearchParams({ chainId: ETHEREUM, tokenId: ETHER, userId }).toString()
    const { json } = await door.ask(`/payments/deposit-address?${query}`, { key: tenant.key })
    return (json as { address: AccountView }).address.properties.address
  }
  const [first, second] = [await issue('cem'), await issue('dee')]
  await door.pay(first, [1n, 2n])
  await door.pay(second, [3n])
  const amountsOf = async (query: string, { key } = tenant) => {
    const { json } = await door.ask(`/payments?q=${query}`, { key })
    return (json as { payments: DepositView[] }).payments.map(({ amount }) => amount).toSorted()
  }
  expect(await amountsOf(first)).toEqual(['1', '2'])
  expect(await amountsOf(first.toLowerCase())).toEqual(['1', '2'])
  expect(await amountsOf(second)).toEqual(['3'])
  expect(await amountsOf(`${second}&chainId=${SEPOLIA}`)).toEqual([])
  expect(await amountsOf(`${second}&userId=cem`)).toEqual([])
  expect(await amountsOf(first, door.b)).toEqual([])
})

test('GET /payments with an X-address as q returns the deposits of its tag [X08]', async () => {
  await Promise.all([ann, bob].map(receive))
  const usersOf = async (tag: number | null) => {
    const text = formatXAddress({ address: brandXrplAddress(ann.address), tag, isTestnet: true })
    const { json } = await door.ask(`/payments?q=${text}`, { key: tenant.key })
    const { payments } = json as { payments: DepositView[] }
    return payments.map(({ externalUserId }) => externalUserId).toSorted()
  }
  expect(await usersOf(bob.destinationTag)).toEqual(['bob'])
  expect(await usersOf(1)).toEqual([])
  expect(await usersOf(null)).toEqual(['ann', 'bob'])
})

/** Stores a deposit to an account. */
async function receive({ orgId, id, chainId, externalUserId, address }: Account): Promise<void> {
  const entry = door.deps.catalogue.chain(chainId)
  if (entry === null) throw new Error('no such chain')
  await door.harness.database.transaction((tx) =>
    tx.run(sql`
      insert into incoming_transfers (
             org_id, id, purpose, place, chain_id, txn_hash, position, account_id, token_id,
             account_chain_id, external_user_id, address, amount, net_movement, status, booked,
             block_height, block_hash, created_at, updated_at)
      values (${orgId}, ${tx.ids.next()}, 'deposit', 'deposits', ${chainId}, ${id}, 'tx', ${id},
              ${nativeTokenId(entry)}, ${chainId}, ${externalUserId}, ${address}, 1, 1, 'Detected',
              'unconfirmed', 7, 'A', now(), now())`),
  )
}

/** The accounts found by an X-address of the shared address, or the refused field. */
async function found(
  { tag, isTestnet = true }: { tag: number | null; isTestnet?: boolean },
  query = '',
): Promise<unknown> {
  const text = formatXAddress({ address: brandXrplAddress(ann.address), tag, isTestnet })
  const answer = await door.ask(`/accounts?address=${text}${query}`, { key: tenant.key })
  if (answer.status !== 200) return refusalIn(answer).details?.['field']
  const { accounts } = answer.json as { accounts: AccountView[] }
  return accounts.map(({ externalUserId }) => externalUserId)
}

function openBoth(): Promise<[Account, Account]> {
  const { orgId } = tenant
  const entry = door.deps.catalogue.chain(XRPL)
  if (entry === null) throw new Error('no such chain')
  const { id: chainId } = entry
  const given = { keys: door.deps.accountKeys, entry, orgId }
  return door.harness.database.transaction(async (tx) => {
    const tip = { height: 7, hash: 'A'.repeat(64) }
    await startChain(tx, {
      chainId,
      genesis: 'network-1',
      tip,
      tipTime: 0,
      headHeight: 7,
      final: null,
    })
    const { address } = await openOwnAddress(tx, { ...given, purpose: 'settlement' })
    await noteBaseAccount(tx, { orgId, chainId, address, readyHeight: 7, missing: '' })
    const open = async (name: string) => {
      const externalUserId = parseExternalUserId(name)
      return (await openAccount(tx, { ...given, externalUserId })).account
    }
    return [await open('ann'), await open('bob')]
  })
}
