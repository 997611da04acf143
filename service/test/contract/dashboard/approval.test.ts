import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Page } from '../../support/browser.ts'
import { ask, type Json } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf } from '../world/pay.ts'
import { codeOf, type Person } from '../world/sign-in.ts'
import { CHAIN } from '../world/state.ts'
import { addressOf, describePages, untilComplete } from './open.ts'

const org = tenantOf('dashboard')
const [first, second, admin] = [
  personOf(org, 'approver'),
  personOf(org, 'approver', 1),
  personOf(org, 'admin'),
]
const { usd } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const AMOUNT = '1250000000'
const TABS_MAX = 120

async function create(): Promise<string> {
  const wish = { chainId: CHAIN, tokenId: usd, amount: AMOUNT, recipient: RECIPIENT }
  const body = { ...wish, reference: randomUUID() }
  const answer = await ask('/withdrawals', { method: 'POST', key: org.apiKey, body })
  expect(answer.json['withdrawal']).toMatchObject({ status: 'PendingApproval' })
  return String(Object(answer.json['withdrawal']).id)
}

function approve(id: string, person: Person, steps: number) {
  const body = { totpCode: codeOf(person, steps) }
  return ask(`/withdrawals/${id}/approve`, { method: 'POST', token: person.accessToken, body })
}

async function approversOf(id: string): Promise<string[]> {
  const { json } = await ask(`/withdrawals/${id}`, { key: org.apiKey })
  return (json['approvals'] as Json[]).map(({ name }) => String(name))
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = typeof name === 'string' ? name : name.source
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    const focused = String(
      await page.evaluate(`(() => {
        const element = document.activeElement
        return element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ??
          element.textContent
      })()`),
    )
    if (new RegExp(wanted).test(focused)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${wanted}`)
}

describePages('the approval of a withdrawal', (open) => {
  beforeAll(async () => {
    await payerOf(11).fund(org, { [usd]: 10n ** 10n })
    const body = { minWithdrawalSigners: 2 }
    const set = { key: org.apiKey, method: 'PATCH', body }
    expect((await ask('/organisation/min-withdrawal-signers', set)).status).toBe(200)
  })

  test('shows the whole payment and works with the keyboard alone', async () => {
    const id = await create()
    const { page, visit, expectQuiet, close } = await open(first)
    await visit(`/approvals/${id}`)
    const text = String(await page.evaluate('document.querySelector("main").textContent'))
    expect(text).toContain('1,250.00 TUSD')
    expect(text).toContain('1,250,000,000 base units')
    expect(text).toContain(RECIPIENT)
    expect(text).toContain('First payment to this recipient')
    await tabTo(page, '^One-time code')
    await page.keyboard.type(codeOf(first, 0))
    await tabTo(page, '^Approve 1,250.00 TUSD on ')
    await page.keyboard.press('Enter')
    await page.getByText('You have approved it').first().waitFor()
    expect(await approversOf(id)).toContain(first.username)
    expect(await page.getByLabel('One-time code').count()).toBe(0)
    expectQuiet()
    await close()
  })

  test('shows the new state if another person was faster', async () => {
    const id = await create()
    expect((await approve(id, first, 1)).status).toBe(200)
    const { page, visit, close } = await open(admin)
    await visit(`/approvals/${id}`)
    await page.getByLabel('One-time code').fill(codeOf(admin, 0))
    expect((await approve(id, second, 0)).status).toBe(200)
    const button = page.getByRole('button', { name: /^Approve / })
    // The page may have noticed it already.
    if ((await button.count()) > 0) await button.click().catch(() => undefined)
    await page.getByText(`${second.username} approved it`).first().waitFor()
    expect(await approversOf(id)).not.toContain(admin.username)
    await close()
  })

  test('names the people on every page that is opened after it', async () => {
    const id = await create()
    const { page, visit, expectQuiet, close } = await open(admin)
    await visit(`/withdrawals/${id}`)
    for (const path of ['/unattributed', '/audit-log', '/approvals']) {
      await page.locator(`nav a[href$="${path}"]`).first().click()
      await page.waitForURL(addressOf(path))
      await untilComplete(page)
    }
    await page
      .locator('tbody')
      .getByText(/^API key/)
      .first()
      .waitFor()
    expectQuiet()
    await close()
  })

  test('is not offered to a viewer', async () => {
    const id = await create()
    const { page, visit, close } = await open(personOf(org, 'viewer'))
    await visit(`/approvals/${id}`)
    await page.getByText('Your role does not include approvals').first().waitFor()
    expect(await page.getByRole('button', { name: /^Approve / }).count()).toBe(0)
    await close()
  })

  test('shows nothing of the withdrawal to another organization', async () => {
    const id = await create()
    const stranger = personOf(tenantOf('zenith'), 'approver')
    const { page, visit, close } = await open(stranger)
    for (const path of [`/approvals/${id}`, `/withdrawals/${id}`, '/withdrawals']) {
      await visit(path)
      await untilComplete(page)
      const text = String(await page.evaluate('document.querySelector("main").textContent'))
      expect([path, text.includes(RECIPIENT), text.includes('1,250.00')]).toEqual([
        path,
        false,
        false,
      ])
    }
    await close()
  })
})
