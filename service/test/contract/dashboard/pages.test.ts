import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allWrongs, type Browser, LACKING, openBrowser } from '../../support/browser.ts'
import { personOf, tenantOf } from '../world/given.ts'
import { openDashboard } from './open.ts'

const admin = personOf(tenantOf('dashboard'), 'admin')
const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } }
const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (['wide', 'narrow'] as const).map((width) => ({ colorScheme, width })),
)
/** Twenty pages, each looked at by axe; a minute on a busy machine. */
const MS_MAX = 240_000
const SKIPPED = LACKING === '' ? '' : ` (skipped: ${LACKING})`

let browser: Browser

beforeAll(async () => {
  if (LACKING === '') browser = await openBrowser()
})
afterAll(() => browser?.close())

/** The addresses in the menu, below the dashboard. */
async function menuPaths(): Promise<string[]> {
  const { page, visit, close } = await openDashboard(browser, admin, { viewport: WIDTHS.wide })
  await visit('/')
  const found = await page.evaluate(
    `[...document.querySelectorAll('nav a')].map((link) => link.pathname)`,
  )
  await close()
  return parsePaths(found).map((path) => path.replace(/^.*\/dashboard/, ''))
}

function parsePaths(found: unknown): string[] {
  return found as string[]
}

describe.skipIf(LACKING !== '')(`every page of the dashboard${SKIPPED}`, () => {
  test.each(LOOKS)(
    'is accessible and complete in $colorScheme, $width',
    async ({ colorScheme, width }) => {
      const paths = await menuPaths()
      expect(paths.length).toBeGreaterThan(12)
      const options = { colorScheme, viewport: WIDTHS[width] }
      const { page, visit, expectQuiet, close } = await openDashboard(browser, admin, options)
      for (const path of paths) {
        await visit(path)
        expect([path, await allWrongs(page)]).toEqual([path, []])
        const isTooWide = 'document.documentElement.scrollWidth > innerWidth'
        expect([path, await page.evaluate(isTooWide)]).toEqual([path, false])
      }
      expectQuiet()
      await close()
    },
    MS_MAX,
  )

  test('is a form to sign in without a session', async () => {
    const { page, visit, expectQuiet, close } = await openDashboard(browser)
    await visit('/withdrawals')
    await page.getByLabel('User name').waitFor()
    expect(await allWrongs(page)).toEqual([])
    expectQuiet()
    await close()
  })
})
