import { rpcClient } from '@sluice/simulator'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from '../../support/browser.ts'
import { ask, type Json, query, until } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf, payXrp } from '../world/pay.ts'
import { BITCOIN_CHAIN, CHAIN, TAG_CHAIN } from '../world/state.ts'
import { describePages, textOf, untilComplete } from './open.ts'

const org = tenantOf('support')
const key = org.apiKey
const viewer = personOf(org, 'viewer')
const { limited } = theWorld().tokens
const XRP = `${TAG_CHAIN}/slip44:144`
const BITCOIN = `${BITCOIN_CHAIN}/slip44:0`
const RESERVE = 20_000_000n
/** Less than the minimum of the token, 100. */
const SMALL = 40n

/** The properties of the address of an end user; waits until the chain can issue it. */
function addressOf(chainId: string, tokenId: string, userId: string): Promise<Json> {
  const where = query({ chainId, tokenId, userId })
  return until(`an address of ${userId}`, async () => {
    const { json } = await ask(`/payments/deposit-address${where}`, { key })
    return (Object(json['address']).properties ?? null) as Json | null
  })
}

/** Pays less than the minimum. Returns the paid address and the hash. */
async function paySmall(): Promise<{ address: string; hash: string }> {
  const { address } = await addressOf(CHAIN, limited, 'ann')
  const hash = await payerOf(14).pay(limited, String(address), SMALL)
  await untilListed('/payments?status=BelowMinimum', 'payments')
  return { address: String(address), hash }
}

/** Pays with the coins of a new block, which are spendable after 100 blocks. Returns the hash. */
async function payYoungCoins(): Promise<string> {
  const { address } = await addressOf(BITCOIN_CHAIN, BITCOIN, 'ben')
  const client = rpcClient(theWorld().bitcoinUrl)
  const [block] = await client.call<string[]>('generatetoaddress', [1, address])
  const { tx } = await client.call<{ tx: string[] }>('getblock', [block])
  client.close()
  await untilListed(`/payments${query({ chainId: BITCOIN_CHAIN })}`, 'payments')
  return String(tx[0])
}

/** Pays with a destination tag of nobody. Returns the tag and the hash. */
async function payUnknownTag(): Promise<{ tag: number; hash: string }> {
  const where = query({ chainId: TAG_CHAIN, tokenId: XRP, userId: 'cleo' })
  const base = await until('the base account', async () => {
    const { json } = await ask(`/payments/deposit-address${where}`, { key })
    const isKnown = String(json['message']).includes('Send XRP for the reserve to')
    return isKnown ? String(Object(json['details']).address) : null
  })
  await payXrp('support', { to: base, amount: RESERVE })
  const { destinationTag } = await addressOf(TAG_CHAIN, XRP, 'cleo')
  const tag = Number(destinationTag) + 1
  const hash = await payXrp('support', { to: base, amount: 5_000_000n, tag })
  await untilListed('/unattributed', 'unattributed')
  return { tag, hash }
}

function untilListed(path: string, name: string): Promise<true> {
  return until(path, async () => {
    const { json } = await ask(path, { key })
    return (json[name] as Json[]).length > 0 ? true : null
  })
}

/** Pastes a text into the trace box of the deposits. */
async function trace(page: Page, text: string): Promise<void> {
  await page.getByLabel('Transaction hash or address').fill(text)
  await page.getByRole('button', { name: 'Trace' }).click()
  await page.waitForURL(/\/trace\?/)
  await untilComplete(page)
}

describePages('the trace box', (open) => {
  let small: { address: string; hash: string }
  let young: string
  let unknown: { tag: number; hash: string }
  beforeAll(async () => {
    ;[small, young, unknown] = await Promise.all([paySmall(), payYoungCoins(), payUnknownTag()])
  })

  test('explains a deposit below the minimum, and leads to it', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/deposits')
    await trace(page, `https://sepolia.etherscan.io/tx/${small.hash}`)
    await page.getByText('Below the minimum deposit').first().waitFor()
    const text = await textOf(page)
    expect(text).toContain('0.00004 LTD of the minimum of 0.0001 LTD have arrived at this address')
    expect(text).toContain('0.00006 LTD are missing')
    expect(text).toContain('The end user pays the missing part to the same address')
    await page.getByRole('link', { name: 'Open the deposit' }).click()
    await page.getByRole('heading', { name: 'Deposit of 0.00004 LTD' }).waitFor()
    await page.getByText('Below the minimum deposit').first().waitFor()
    expectQuiet()
    await close()
  })

  test('shows the end user of an address, and the deposit with its state', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/deposits')
    await trace(page, small.address)
    await page.getByRole('heading', { name: 'Accounts of this address' }).waitFor()
    await page.getByRole('link', { name: 'ann' }).first().waitFor()
    await page.locator('tbody').getByText('Below minimum').waitFor()
    await trace(page, `0x${'1'.repeat(40)}`)
    await page.getByText('No end user has this address').waitFor()
    expectQuiet()
    await close()
  })

  test('explains a deposit with too few confirmations', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/deposits')
    await trace(page, young)
    await page.getByText('Waiting for confirmations').first().waitFor()
    const text = await textOf(page)
    expect(text).toContain('0 of 100 confirmations: 100 more blocks, about 17 h.')
    expect(text).toContain('Wait; tell the end user the time that remains.')
    expectQuiet()
    await close()
  })

  test('is offered when the search of the list finds no deposit', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit(`/deposits${query({ q: unknown.hash })}`)
    await page.getByRole('link', { name: 'Trace it on the chains' }).click()
    await page.getByText('Unknown destination tag').first().waitFor()
    await visit(`/deposits${query({ q: 'no such user' })}`)
    await page.getByText('No record matches').waitFor()
    expect(await page.getByRole('link', { name: 'Trace it on the chains' }).count()).toBe(0)
    expectQuiet()
    await close()
  })

  test('explains a payment with an unknown tag, and leads to its assignment', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/deposits')
    await trace(page, unknown.hash)
    await page.getByText('Unknown destination tag').first().waitFor()
    const text = await textOf(page)
    expect(text).toContain(`No user of yours has the destination tag ${unknown.tag}`)
    expect(text).toContain('Two people assign it to the end user.')
    await page.getByRole('link', { name: 'Open unattributed payments' }).click()
    const row = page.locator('tbody tr', { has: page.getByText('Not assigned') })
    expect(await row.textContent()).toContain(String(unknown.tag))
    expectQuiet()
    await close()
  })
})
