import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  type Browser,
  LACKING,
  openBrowser,
  openPage,
  type Page,
  type PageOptions,
  untilComplete,
} from '../../support/browser.ts'
import { theWorld } from '../world/given.ts'
import type { Person } from '../world/sign-in.ts'

export { untilComplete }

const HOUR_MS = 3_600_000
const SKIPPED = LACKING === '' ? '' : ` (skipped: ${LACKING})`

/** A page of the dashboard in a browser of its own. */
interface Opened {
  page: Page
  /** Goes to an address of the dashboard and waits until it is complete. */
  visit: (path: string) => Promise<void>
  /** Fails if the browser reported an error or a violation of the content policy. */
  expectQuiet: () => void
  close: () => Promise<void>
}

/** Opens the dashboard; with a person it is signed in already. */
type OpenDashboard = (person?: Person | null, options?: PageOptions) => Promise<Opened>

/** The address of a page of the dashboard. */
export function addressOf(path: string): string {
  return `${theWorld().baseUrl}/dashboard${path}`
}

/** Describes pages with tests in a browser; skipped with the reason if it is not installed. */
export function describePages(name: string, tests: (open: OpenDashboard) => void): void {
  describe.skipIf(LACKING !== '')(`${name}${SKIPPED}`, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser?.close())
    tests((person = null, options = {}) => openDashboard(browser, person, options))
  })
}

async function openDashboard(
  browser: Browser,
  person: Person | null,
  options: PageOptions,
): Promise<Opened> {
  const watched = await openPage(browser, { reducedMotion: 'reduce', ...options })
  const { page, complaints } = watched
  if (person !== null) await page.addInitScript(scriptOfSession(person))
  return {
    page,
    visit: async (path) => {
      await page.goto(addressOf(path))
      await untilComplete(page)
    },
    expectQuiet: () => expect(complaints).toEqual([]),
    close: () => page.context().close(),
  }
}

/** Stores a session before the page reads it, once for each tab. */
function scriptOfSession({ username, accessToken }: Person): string {
  const session = { accessToken, username, expiresAt: Date.now() + HOUR_MS, mustEnrolTotp: false }
  return `if (sessionStorage.length === 0)
    sessionStorage.setItem('sluice.session', ${JSON.stringify(JSON.stringify(session))})`
}

/** The text of the page. */
export async function textOf(page: Page): Promise<string> {
  return String(await page.evaluate('document.body.textContent'))
}

/** Fills in password and one-time code, and signs in. */
export async function signIn(page: Page, password: string, totpCode: string): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByLabel('One-time code').fill(totpCode)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs the person out, by the menu with the user name. */
export async function signOut(page: Page, username: string): Promise<void> {
  await page.getByRole('button', { name: username }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

/** Enters a one-time code in the open dialog, and presses the button with this name. */
export async function confirm(page: Page, button: string, totpCode: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('One-time code').fill(totpCode)
  await dialog.getByRole('button', { name: button, exact: true }).click()
}

/**
 * Reads the secret of the open dialog, which is shown once, and closes the dialog. Fails if the
 * page still has it afterwards, also when it is loaded again.
 */
export async function takeSecret(
  page: Page,
  { form, stored }: { form: RegExp; stored: string },
): Promise<string> {
  const dialog = page.getByRole('dialog')
  const secret = String(await dialog.getByText(form).textContent())
  await dialog.getByLabel(stored).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await untilComplete(page)
  expect(await textOf(page)).not.toContain(secret)
  await page.reload()
  await untilComplete(page)
  expect(await textOf(page)).not.toContain(secret)
  return secret
}

/** Presses the button with this name, and reads the file that the page saves. */
export async function fileOf(page: Page, button: string): Promise<{ name: string; text: string }> {
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await saving
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}
