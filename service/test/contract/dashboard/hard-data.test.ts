import { beforeAll, expect, test } from 'vitest'
import { allWrongs } from '../../support/browser.ts'
import { ask, query } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { CHAIN } from '../world/state.ts'
import { describePages, untilComplete } from './open.ts'

const org = tenantOf('dashboard')
const admin = personOf(org, 'admin')
const { usd } = theWorld().tokens
const LONG = 'w'.repeat(255)
const RIGHT_TO_LEFT = 'مستخدم/٤٢'
const MANY = 150

describePages('accounts with difficult names', (open) => {
  beforeAll(async () => {
    const many = Array.from({ length: MANY }, (_, index) => `user-${index}`)
    for (const userId of [...many, LONG, RIGHT_TO_LEFT]) {
      const where = query({ chainId: CHAIN, tokenId: usd, userId })
      const { status } = await ask(`/payments/deposit-address${where}`, { key: org.apiKey })
      expect(status).toBe(201)
    }
  })

  test.each([1280, 320])('fit into a page of %i pixels', async (width) => {
    const viewport = { width, height: 800 }
    const { page, visit, expectQuiet, close } = await open(admin, { viewport })
    await visit('/accounts')
    await page.getByText(LONG).first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expect(await allWrongs(page)).toEqual([])
    await page.getByRole('link', { name: RIGHT_TO_LEFT }).first().click()
    await page.getByRole('heading', { name: new RegExp(RIGHT_TO_LEFT) }).waitFor()
    await untilComplete(page)
    expect(page.url()).toMatch(/\/dashboard\/accounts\/[^/]+$/)
    expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    expectQuiet()
    await close()
  })

  test('are on pages that the address names', async () => {
    const { page, visit, close } = await open(admin)
    await visit('/accounts')
    await page.getByText(LONG).first().waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/[?&]cursor=/)
    await page.getByText(LONG).first().waitFor({ state: 'detached' })
    const firstOf = () =>
      page
        .getByText(/^user-[0-9]+$/)
        .first()
        .textContent()
    const shown = await firstOf()
    await page.reload()
    expect(await firstOf()).toBe(shown)
    await page.goBack()
    await page.getByText(LONG).first().waitFor()
    await close()
  })
})
