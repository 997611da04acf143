import { expect, test } from 'vitest'
import type { Page } from '../../support/browser.ts'
import { personOf, tenantOf } from '../world/given.ts'
import { expireInvitations } from '../world/rows.ts'
import { codeOf } from '../world/sign-in.ts'
import {
  addressOf,
  confirm,
  describePages,
  signIn,
  signOut,
  takeSecret,
  textOf,
  untilComplete,
} from './open.ts'

const office = tenantOf('office')
const admin = personOf(office, 'admin')
const PASSWORD = 'a long enough password'
const CODES = 10
const ERIN = 'office-erin'
const FRANK = 'office-frank'

/** Invites an approver on the page of people, and takes the link. */
async function invite(page: Page, username: string, totpCode: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite a person' }).click()
  await page.getByLabel('User name').fill(username)
  await page.getByRole('radio', { name: /^Approver/ }).check()
  await confirm(page, `Invite ${username} as Approver`, totpCode)
  const link = { form: /\/invitation#token=sli_/, stored: 'I have copied the link' }
  return takeSecret(page, link)
}

async function rowOf(page: Page, username: string): Promise<string | null> {
  await page.getByRole('link', { name: username }).waitFor()
  return page.locator('tr', { has: page.getByText(username, { exact: true }) }).textContent()
}

/** Fails unless the page says that the link is invalid and how to get another one. */
async function expectInvalid(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page
    .getByText('The invitation is unknown, expired, withdrawn or already accepted')
    .waitFor()
  expect(await textOf(page)).toContain('Ask an admin of your organization for a new invitation.')
  expect(await page.getByLabel('New password').count()).toBe(0)
}

describePages('an invitation', (open) => {
  test('lets a person enrol once and sign in, whom the admin then sees', async () => {
    const { page: adminPage, visit, expectQuiet, close } = await open(admin)
    await visit('/people')
    const link = await invite(adminPage, ERIN, codeOf(admin, 0))
    expect(link).toMatch(addressOf('/invitation#token=sli_'))
    expect(await rowOf(adminPage, ERIN)).toMatch(/office-erin.*Approver.*Invited.*Never/)

    const guest = await open()
    const { page } = guest
    await page.goto(link)
    await page.getByLabel('New password').fill(PASSWORD)
    const totpSecret = String(await page.locator('code').textContent())
    await page.locator(`a[href^="otpauth://"][href*="${totpSecret}"]`).waitFor()
    await page.getByLabel('One-time code').fill(codeOf({ totpSecret }, 0))
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await page.getByText('Save these codes now: they are not shown again').waitFor()
    const codes = await page.locator('ol code').allTextContents()
    expect(new Set(codes).size).toBe(CODES)
    expect(codes.filter((code) => !/^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code))).toEqual([])
    await page.getByLabel('I have saved the codes').check()
    await page.getByRole('button', { name: 'Go to the dashboard' }).click()
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await page.reload()
    await untilComplete(page)
    const text = await textOf(page)
    expect(codes.filter((code) => text.includes(code))).toEqual([])

    await signOut(page, ERIN)
    await page.getByLabel('User name').fill(ERIN)
    await signIn(page, PASSWORD, codeOf({ totpSecret }, 1))
    await page.getByRole('button', { name: ERIN }).waitFor()
    guest.expectQuiet()
    await expectInvalid(page, link)
    await guest.close()

    await adminPage.reload()
    await untilComplete(adminPage)
    const row = await rowOf(adminPage, ERIN)
    expect(row).toMatch(/office-erin.*Approver.*Active/)
    expect(row).not.toContain('Never')
    expectQuiet()
    await close()
  })

  test('that has expired says so to the person and to the admin', async () => {
    const { page: adminPage, visit, close } = await open(admin)
    await visit('/people')
    const link = await invite(adminPage, FRANK, codeOf(admin, 1))
    await expireInvitations(office)
    const { page, close: leave } = await open()
    await expectInvalid(page, link)
    await leave()
    await adminPage.reload()
    await untilComplete(adminPage)
    expect(await rowOf(adminPage, FRANK)).toMatch(/office-frank.*Invitation expired/)
    await adminPage.getByRole('link', { name: FRANK }).click()
    await adminPage.getByText('Expired on').waitFor()
    await adminPage.getByRole('button', { name: 'New invitation' }).waitFor()
    await close()
  })
})
