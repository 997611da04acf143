import { signXrpl, type XrplWallet, xrplWallet } from '@sluice/simulator'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CAPS, intentOf, type Sender, senderOf } from './xrpl-hand.ts'
import { openXrplWorld, type XrplWorld, XRPL_CHAIN } from './xrpl-world.ts'
import { parseHolder } from './brands.ts'

const RESERVE = 1_000_000n
const COINS = 100_000_000n
/** As xrpl.org numbers the flags of AccountSet. */
const DEPOSIT_AUTH = 9

let world: XrplWorld
let sender: Sender
beforeAll(async () => {
  world = await openXrplWorld({ reserve: RESERVE })
  sender = senderOf('payer')
  world.chain.pay({ to: sender.address, amount: COINS })
  world.chain.close()
})
beforeEach(() => world.proxy.rules.clear())
afterAll(() => world.close())

test('a permission is granted to one account, and revoked [X12]', async () => {
  const wallet = holder('shop', COINS)
  expect(await quoted(wallet)).toBe('RECIPIENT_REFUSES')
  deed(wallet, { TransactionType: 'DepositPreauth', Authorize: world.chain.wallet.address })
  expect(await quoted(wallet)).toBe('RECIPIENT_REFUSES')
  deed(wallet, { TransactionType: 'DepositPreauth', Authorize: sender.address })
  expect(await quoted(wallet)).toBe('ok')
  deed(wallet, { TransactionType: 'DepositPreauth', Unauthorize: sender.address })
  expect(await quoted(wallet)).toBe('RECIPIENT_REFUSES')
})

test('an account at its minimum accepts a limited amount from all senders [X12]', async () => {
  const wallet = holder('poor shop', RESERVE)
  expect(await quoted(wallet, RESERVE)).toBe('ok')
  expect(await quoted(wallet, RESERVE + 1n)).toBe('RECIPIENT_REFUSES')
  world.chain.pay({ to: wallet.address, amount: RESERVE })
  world.chain.close()
  expect(await quoted(wallet, RESERVE)).toBe('RECIPIENT_REFUSES')
})

test('a node without permissions does not end a payment [X12]', async () => {
  const wallet = holder('third shop', COINS)
  const unknown = { error: 'unknownCmd', error_code: 32, status: 'error' }
  const action = { do: 'mutate', change: () => unknown } as const
  world.proxy.rules.add({ match: { method: 'deposit_authorized' }, action })
  expect(await quoted(wallet)).toBe('ok')
})

test('an answer for another account or ledger is an outage [N11]', async () => {
  const wallet = holder('fourth shop', COINS)
  const lies = [{ destination_account: 'another' }, { validated: false }, { deposit_authorized: 1 }]
  for (const lie of lies) {
    const change = (answer: object) => ({ ...answer, ...lie })
    const action = { do: 'mutate', change } as const
    world.proxy.rules.add({ match: { method: 'deposit_authorized' }, action })
    await expect(quoted(wallet)).rejects.toThrow('deposit_authorized')
    world.proxy.rules.clear()
  }
})

async function quoted(wallet: XrplWallet, amount = 2_000_000n): Promise<string> {
  // One that has failed is asked again after a while.
  world.pass(600_000)
  const to = parseHolder(XRPL_CHAIN, wallet.address)
  const quote = await world.adapter.quote(intentOf(sender, { to, amount }), CAPS)
  return quote.ok ? 'ok' : quote.code
}

/** An account that takes only what it has allowed. */
function holder(name: string, amount: bigint): XrplWallet {
  const wallet = xrplWallet(name)
  world.chain.pay({ to: wallet.address, amount })
  world.chain.close()
  deed(wallet, { TransactionType: 'AccountSet', SetFlag: DEPOSIT_AUTH })
  return wallet
}

/** Sends a transaction of the wallet's owner, in the next ledger. */
function deed(wallet: XrplWallet, fields: Record<string, unknown>): void {
  const { chain } = world
  const blob = signXrpl({ ...chain.fieldsFor(wallet.address), ...fields }, wallet)
  expect(chain.submit(blob).result).toBe('tesSUCCESS')
  chain.close()
}
