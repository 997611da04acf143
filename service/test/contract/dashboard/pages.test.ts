import { beforeAll, expect, test } from 'vitest'
import { allWrongs, colourWrongs } from '../../support/browser.ts'
import { personOf, tenantOf } from '../world/given.ts'
import { describePages } from './open.ts'

const admin = personOf(tenantOf('dashboard'), 'admin')
const WIDTHS = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } }
/** Twenty pages, each looked at by axe; a minute on a busy machine. */
const MS_MAX = 240_000

describePages('every page of the dashboard', (open) => {
  /** The addresses in the menu, below the dashboard. */
  let paths: readonly string[]
  beforeAll(async () => {
    const { page, visit, close } = await open(admin, { viewport: WIDTHS.wide })
    await visit('/')
    const links = `[...document.querySelectorAll('nav a')].map((link) => link.pathname)`
    paths = parsePaths(await page.evaluate(links))
    await close()
  })

  test.each(['wide', 'narrow'] as const)(
    'is accessible and complete in both colour schemes, %s',
    async (width) => {
      expect(paths.length).toBeGreaterThan(12)
      const { page, visit, expectQuiet, close } = await open(admin, { viewport: WIDTHS[width] })
      for (const path of paths) {
        await page.emulateMedia({ colorScheme: 'light' })
        await visit(path)
        expect([path, await allWrongs(page)]).toEqual([path, []])
        const isTooWide = 'document.documentElement.scrollWidth > innerWidth'
        expect([path, await page.evaluate(isTooWide)]).toEqual([path, false])
        await page.emulateMedia({ colorScheme: 'dark' })
        expect([path, await colourWrongs(page)]).toEqual([path, []])
      }
      expectQuiet()
      await close()
    },
    MS_MAX,
  )

  test('is a form to sign in without a session', async () => {
    const { page, visit, expectQuiet, close } = await open()
    await visit('/withdrawals')
    await page.getByLabel('User name').waitFor()
    expect(await allWrongs(page)).toEqual([])
    expectQuiet()
    await close()
  })
})

/** Paths below the dashboard. */
function parsePaths(found: unknown): string[] {
  return (found as string[]).map((path) => path.replace(/^.*\/dashboard/, ''))
}
