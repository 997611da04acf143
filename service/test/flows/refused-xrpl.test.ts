import { xrplWallet } from '@sluice/simulator'
import { describe, expect, test } from 'vitest'
import { asked, deed, openXrplHarness, signedPayments, XRP_COIN } from '../support/xrpl-harness.ts'

/** The flags of AccountSet, numbered as on xrpl.org. */
const [REQUIRE_DEST, DISALLOW_XRP, DEPOSIT_AUTH] = [1, 3, 9]
const AMOUNT = 2_000_000n
/** Less than the reserve of an account. */
const LITTLE = 900_000n
const DAY_MS = 86_400_000

/** Changes of the recipient's account after the payment was requested. */
const DEEDS: readonly [what: string, amount: bigint, fields: Record<string, unknown>][] = [
  ['accepts only authorized senders', AMOUNT, flag(DEPOSIT_AUTH)],
  ['disallows XRP', AMOUNT, flag(DISALLOW_XRP)],
  ['requires a tag', AMOUNT, flag(REQUIRE_DEST)],
  ['deletes its account', LITTLE, { TransactionType: 'AccountDelete' }],
]

describe('a recipient that changes its account before it is paid', () => {
  test.each(DEEDS)('a recipient that %s is not paid [X12]', async (what, amount, fields) => {
    const harness = await openXrplHarness()
    const { node, world, settlement } = harness
    const [wallet, heir] = [xrplWallet(`who ${what}`), xrplWallet('heir')]
    for (const to of [wallet.address, heir.address]) node.chain.pay({ to, amount: 50_000_000n })
    await harness.mine()
    const before = await world.balance(XRP_COIN)
    const id = await asked(harness, { recipient: wallet.address, amount })
    await deed(harness, wallet, { ...fields, ...heirOf(fields, heir.address) })
    await harness.spend()
    expect(await harness.read(id)).toMatchObject({
      status: 'Failed',
      failureCode: 'RECIPIENT_REFUSES',
      txnHash: null,
    })
    await harness.mine(2)
    expect(await signedPayments(harness)).toEqual([])
    expect(node.chain.paymentsBetween(settlement, wallet.address)).toEqual([])
    expect(await world.balance(XRP_COIN)).toBe(before)
    expect(await world.balance(XRP_COIN, 'claim:reserved')).toBe(0n)
  })

  test('a recipient that forbids payments and allows them again is paid [X12]', async () => {
    const harness = await openXrplHarness()
    const { node, settlement } = harness
    const wallet = xrplWallet('exchange')
    node.chain.pay({ to: wallet.address, amount: 50_000_000n })
    await harness.mine()
    await deed(harness, wallet, flag(DEPOSIT_AUTH))
    const id = await asked(harness, { recipient: wallet.address, amount: AMOUNT })
    await deed(harness, wallet, { TransactionType: 'AccountSet', ClearFlag: DEPOSIT_AUTH })
    expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
    const paid = [{ amount: `${AMOUNT}`, tag: null }]
    expect(node.chain.paymentsBetween(settlement, wallet.address)).toEqual(paid)
  })

  test('a recipient that authorizes only our account is paid [X12]', async () => {
    const harness = await openXrplHarness()
    const { node, settlement } = harness
    const wallet = xrplWallet('careful exchange')
    node.chain.pay({ to: wallet.address, amount: 50_000_000n })
    await harness.mine()
    const id = await asked(harness, { recipient: wallet.address, amount: AMOUNT })
    await deed(harness, wallet, flag(DEPOSIT_AUTH))
    await deed(harness, wallet, { TransactionType: 'DepositPreauth', Authorize: settlement })
    expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
    const paid = [{ amount: `${AMOUNT}`, tag: null }]
    expect(node.chain.paymentsBetween(settlement, wallet.address)).toEqual(paid)
  })

  test.each([
    ['up to its reserve', LITTLE, 'Completed'],
    ['above its reserve', AMOUNT, 'Failed'],
  ])('a DepositAuth account paid %s, %i drops: %s [X12]', async (what, amount, status) => {
    const harness = await openXrplHarness()
    const wallet = xrplWallet(`poor ${what}`)
    harness.node.chain.pay({ to: wallet.address, amount: 1_000_000n })
    await harness.mine()
    await deed(harness, wallet, flag(DEPOSIT_AUTH))
    const id = await asked(harness, { recipient: wallet.address, amount })
    expect(await harness.conclude(id)).toMatchObject({ status })
  })
})

test('a clock that jumps a day causes no early second signature [X10 W26]', async () => {
  const harness = await openXrplHarness()
  const { node, settlement, world } = harness
  const { clock } = world
  const { address: recipient } = xrplWallet('patient exchange')
  const id = await asked(harness, { recipient, amount: AMOUNT })
  const spendOnAnotherDay = async () => {
    for (const day of [DAY_MS, -2 * DAY_MS, DAY_MS]) {
      clock.set(clock.now() + day)
      await harness.spend()
      // The network drops every transaction.
      node.chain.forget()
    }
  }
  await spendOnAnotherDay()
  const [first] = await signedPayments(harness)
  const { txnHash, lastLedger = 0 } = first ?? {}
  while (node.chain.closed().height <= lastLedger) {
    await spendOnAnotherDay()
    expect(await signedPayments(harness)).toEqual([first])
    expect(await harness.read(id)).toMatchObject({ status: 'Processing', txnHash })
    await harness.mine()
  }
  await spendOnAnotherDay()
  expect(await signedPayments(harness)).toHaveLength(2)
  expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  const paid = [{ amount: `${AMOUNT}`, tag: null }]
  expect(node.chain.paymentsBetween(settlement, recipient)).toEqual(paid)
})

function flag(SetFlag: number | undefined): Record<string, unknown> {
  return { TransactionType: 'AccountSet', SetFlag }
}

/** A deletion names the account that gets the remaining balance. */
function heirOf({ TransactionType: type }: Record<string, unknown>, Destination: string) {
  return type === 'AccountDelete' ? { Destination } : {}
}
