import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { allWrongs, type Page } from '../../support/browser.ts'
import { ask } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf } from '../world/pay.ts'
import { codeOf } from '../world/sign-in.ts'
import { CHAIN } from '../world/state.ts'
import { addressOf, confirm, describePages, untilComplete } from './open.ts'

const org = tenantOf('devices')
const approver = personOf(org, 'approver')
const { usd } = theWorld().tokens
const RECIPIENT = `0x${'c0ffee01'.repeat(5)}`
const NAME = 'Work laptop'

/** A device that verifies its user and touches itself. */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
}

async function create(): Promise<string> {
  const wish = { chainId: CHAIN, tokenId: usd, amount: '7000000', recipient: RECIPIENT }
  const body = { ...wish, reference: randomUUID() }
  const answer = await ask('/withdrawals', { method: 'POST', key: org.apiKey, body })
  expect(answer.json['withdrawal']).toMatchObject({ status: 'PendingApproval' })
  return String(Object(answer.json['withdrawal']).id)
}

async function passkeys(): Promise<unknown> {
  return (await ask('/auth/passkeys', { token: approver.accessToken })).json['passkeys']
}

/** Passkeys are bound to a name: no browser allows them at the address of a machine. */
async function visit(page: Page, path: string): Promise<void> {
  await page.goto(addressOf(path).replace('127.0.0.1', 'localhost'))
  await untilComplete(page)
}

describePages('passkeys', (open) => {
  beforeAll(async () => {
    await payerOf(15).fund(org, { [usd]: 10n ** 9n })
    const body = { minWithdrawalSigners: 2 }
    const set = { key: org.apiKey, method: 'PATCH', body }
    expect((await ask('/organisation/min-withdrawal-signers', set)).status).toBe(200)
  })

  test('a device is added, approves a withdrawal, and is removed', async () => {
    const id = await create()
    const { page, expectQuiet, close } = await open(approver)
    const tools = await page.context().newCDPSession(page)
    await tools.send('WebAuthn.enable')
    await tools.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE })
    const dialog = page.getByRole('dialog')

    await visit(page, '/account')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await dialog.getByLabel('Name').fill(NAME)
    await confirm(page, 'Add the passkey', codeOf(approver, 0))
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Remove ${NAME}` }).waitFor()
    expect(await passkeys()).toMatchObject([{ name: NAME, lastUsedAt: null }])
    expect(await allWrongs(page)).toEqual([])

    await visit(page, `/approvals/${id}`)
    const approve = page.getByRole('button', { name: /^Approve 7.00 TUSD on .* with a passkey$/ })
    await approve.waitFor()
    expect(await allWrongs(page)).toEqual([])
    await approve.click()
    await page.getByText('You have approved it').first().waitFor()
    await page.getByText('with a passkey', { exact: true }).waitFor()
    const { json } = await ask(`/withdrawals/${id}`, { key: org.apiKey })
    expect(json['approvals']).toMatchObject([
      { method: null },
      { userId: approver.id, method: 'passkey' },
    ])
    expect(await passkeys()).toMatchObject([{ name: NAME, lastUsedAt: expect.any(String) }])

    await visit(page, '/account')
    await page.getByRole('button', { name: `Remove ${NAME}` }).click()
    await confirm(page, `Remove ${NAME}`, codeOf(approver, 1))
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('No passkey', { exact: true }).waitFor()
    expect(await passkeys()).toEqual([])
    await visit(page, `/approvals/${await create()}`)
    await page.getByRole('button', { name: /^Approve 7.00 TUSD on / }).waitFor()
    expect(await approve.count()).toBe(0)
    expectQuiet()
    await close()
  })

  test('are offered at the public address only', async () => {
    const { page, visit: visitMachine, close } = await open(approver)
    await visitMachine('/account')
    await page.getByText('Passkeys work at another address').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    await close()
  })
})
