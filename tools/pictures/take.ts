import { join } from 'node:path'
import {
  type Browser,
  openBrowser,
  openPage,
  type Page,
  untilComplete,
} from '../../service/test/support/browser.ts'
import type { SandboxState } from '../../simulator/src/sandbox/state.ts'
import { PICTURES } from './pages.ts'
import type { Records } from './records.ts'

const VIEWPORT = { width: 1120, height: 720 }

/** Opens each page as its person and writes its picture into a folder. */
export async function takePictures({
  state,
  records,
  folder,
}: {
  state: SandboxState
  records: Records
  folder: string
}): Promise<void> {
  const browser = await openBrowser()
  const tabs = new Map<string, Page>()
  try {
    for (const { name, person, path, shows, colorScheme = 'light' } of PICTURES) {
      const page = tabs.get(person) ?? (await signIn(browser, state, person))
      tabs.set(person, page)
      await page.emulateMedia({ colorScheme })
      await page.goto(`${state.baseUrl}/dashboard${path(records)}`)
      await untilComplete(page)
      await page.getByText(shows).first().waitFor()
      await page.screenshot({ path: join(folder, `${name}.png`) })
    }
  } finally {
    await browser.close()
  }
}

/** Signs a person in with the form; a button of the sandbox fills in the one-time code. */
async function signIn(browser: Browser, state: SandboxState, username: string): Promise<Page> {
  const { page } = await openPage(browser, { viewport: VIEWPORT, reducedMotion: 'reduce' })
  const password = state.users.find((user) => user.username === username)?.password ?? ''
  await page.goto(`${state.baseUrl}/dashboard/`)
  await page.getByLabel('User name').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Fill in a test code' }).click()
  await page.locator('input[autocomplete="one-time-code"]:valid').waitFor()
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Home', exact: true }).waitFor()
  return page
}
