import { expect } from 'vitest'
import { type Browser, openPage, type Page, type PageOptions } from '../../support/browser.ts'
import { theWorld } from '../world/given.ts'
import type { Person } from '../world/sign-in.ts'

const HOUR_MS = 3_600_000

/** A page of the dashboard in a browser of its own. */
export interface Opened {
  page: Page
  /** Goes to an address of the dashboard and waits until it is complete. */
  visit: (path: string) => Promise<void>
  /** Fails if the browser reported an error or a violation of the content policy. */
  expectQuiet: () => void
  close: () => Promise<void>
}

/** The address of a page of the dashboard. */
export function addressOf(path: string): string {
  return `${theWorld().baseUrl}/dashboard${path}`
}

/** Opens the dashboard; with a person it is signed in already. */
export async function openDashboard(
  browser: Browser,
  person: Person | null = null,
  options: PageOptions = {},
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

/** Waits until the page has its heading and loads no more. */
export async function untilComplete(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' })
}

/** Stores a session before the page reads it, once for each tab. */
function scriptOfSession({ username, accessToken }: Person): string {
  const session = { accessToken, username, expiresAt: Date.now() + HOUR_MS, mustEnrolTotp: false }
  return `if (sessionStorage.length === 0)
    sessionStorage.setItem('sluice.session', ${JSON.stringify(JSON.stringify(session))})`
}
