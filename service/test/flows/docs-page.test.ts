import { type Server, createServer, request as httpRequest } from 'node:http'
import { freePort } from '@sluice/simulator'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Browser,
  LACKING,
  type Locator,
  openBrowser,
  openPage,
  type Page,
  seriousWrongs,
} from '../support/browser.ts'
import { type Door, ETHEREUM, listenLow, openDoor } from '../support/door.ts'
import { IS_SHORT } from '../support/tier.ts'
import { openDesk } from '../support/withdrawal-desk.ts'

const PAGES = ['/docs', '/docs/errors', '/docs/events', '/docs/metrics', '/docs/configuration']
/** The short tier opens each page in one of the two ways. */
const PAGES_OF = {
  wide: IS_SHORT ? PAGES.slice(0, 2) : PAGES,
  narrow: IS_SHORT ? PAGES.slice(2) : PAGES,
}
const SIZES = { wide: { width: 1280, height: 900 }, narrow: { width: 320, height: 640 } }

let door: Door
let baseUrl: string
let apiKey: string
let browser: Browser
let proxy: Server
let prefixed: string

beforeAll(async () => {
  door = await openDoor()
  baseUrl = await listenLow(door)
  apiKey = door.a.key
  if (LACKING === '') browser = await openBrowser()
  const port = await freePort()
  proxy = await serveBelow('/pay', port)
  prefixed = `http://127.0.0.1:${port}/pay`
})
afterAll(async () => {
  await browser?.close()
  proxy.close()
  await door.close()
})

/** A reverse proxy that serves the product under a path prefix. */
function serveBelow(prefix: string, port: number): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    if (!url.startsWith(`${prefix}/`)) {
      outgoing.writeHead(404).end()
      return
    }
    const target = new URL(url.slice(prefix.length), baseUrl)
    const passed = httpRequest(target, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}

/** Opens the form of an operation; requests to `path` are answered with `body`. */
async function openForm(page: Page, id: string, response?: { path: string; body: string }) {
  if (response !== undefined)
    await page.route(`${baseUrl}${response.path}`, (asked) =>
      asked.fulfill({ body: response.body, contentType: 'application/json' }),
    )
  await page.goto(`${baseUrl}/docs`)
  const form = page.locator('section.operation', { has: page.locator(`#${id}`) })
  await form.getByText('Try it').click()
  return form
}

/** The shown response. */
async function sent(form: Locator): Promise<string> {
  await form.getByRole('button', { name: 'Send' }).click()
  const answer = form.getByLabel('Answer')
  await answer.getByText('200 OK').waitFor()
  return (await answer.textContent()) ?? ''
}

const SKIPPED = LACKING === '' ? '' : ` (skipped: ${LACKING})`

describe.skipIf(LACKING !== '')(`the documentation in a browser${SKIPPED}`, () => {
  test.each([
    ['directly', () => baseUrl],
    ['under a path of a proxy', () => prefixed],
  ])('the page works %s and loads nothing from other hosts', async (_how, base) => {
    const { page, complaints, requests } = await openPage(browser)
    await page.goto(`${base()}/docs`)
    await page.getByLabel('API key').fill(apiKey)
    const section = page.locator('section.operation', { has: page.locator('#getChains') })
    await section.getByText('Try it').click()
    await section.getByRole('button', { name: 'Send' }).click()
    const answer = section.getByLabel('Answer')
    await answer.getByText(ETHEREUM).first().waitFor()
    expect(await answer.textContent()).toMatch(/^200 .*\nx-request-id: \S+\n/)
    await page.getByRole('link', { name: 'Errors', exact: true }).click()
    await page.getByRole('heading', { name: 'INVALID_CHAIN' }).waitFor()
    expect(
      requests.filter((url) => !url.startsWith(`${base()}/`) && !url.startsWith('data:')),
    ).toEqual([])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('markup in a withdrawal is shown as text and never executed [S16]', async () => {
    const desk = await openDesk()
    onTestFinished(() => desk.close())
    await desk.fund(100n)
    const written = '</pre><img src=x onerror="document.title=1"><script>document.title=2</script>'
    const made = await desk.create({ amount: '1', internalNote: written, externalUserId: written })
    expect(made.status).toBe(201)
    const { page, complaints } = await openPage(browser)
    await page.goto(`${await listenLow(desk.door)}/docs`)
    const title = await page.title()
    await page.getByLabel('API key').fill(desk.door.a.key)
    const section = page.locator('section.operation', { has: page.locator('#getWithdrawals') })
    await section.getByText('Try it').click()
    await section.getByRole('button', { name: 'Send' }).click()
    const answer = section.getByLabel('Answer')
    await answer.getByText('internalNote').first().waitFor()
    const text = (await answer.textContent()) ?? ''
    expect(text.split(JSON.stringify(written))).toHaveLength(3)
    expect(await answer.locator('*').count()).toBe(0)
    expect([await page.title(), complaints]).toEqual([title, []])
    await page.context().close()
  })

  test('bidirectional and invisible characters are visible, and the value is kept', async () => {
    const { page } = await openPage(browser)
    const name = 'paid \u202eelbatsurt\u202c to a\u200bnn\u2028on\u0085time \u{e0041} é 😀'
    const body = JSON.stringify({ chains: [{ name }] })
    const shown = await sent(await openForm(page, 'getChains', { path: '/chains', body }))
    expect(shown).toContain('paid \\u202eelbatsurt\\u202c to a\\u200bnn\\u2028on\\u0085time')
    expect(shown).toContain('\\udb40\\udc41 é 😀')
    expect(JSON.parse(shown.slice(shown.indexOf('{')))).toEqual({ chains: [{ name }] })
    await page.context().close()
  })

  test('a truncated response is marked as truncated', async () => {
    const { page } = await openPage(browser)
    const token = (length: number) => JSON.stringify({ tokens: ['x'.repeat(length)] })
    const form = await openForm(page, 'getTokens', { path: '/tokens', body: token(200_000) })
    const cut = await sent(form)
    expect(cut).toMatch(/^Only the first 100000 of 2000\d\d characters are shown/m)
    expect(cut.length).toBeLessThan(101_000)
    await page.route(`${baseUrl}/tokens`, (asked) => asked.fulfill({ body: token(90_000) }))
    expect(await sent(form)).not.toContain('Only the first')
    await page.context().close()
  })

  test('keys are not kept in storage, after a reload or after going back', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${baseUrl}/docs`)
    const field = page.getByLabel('API key')
    const stored = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])`
    await field.fill(apiKey)
    expect(await page.evaluate(stored)).toBe('[{},{},""]')
    await page.goto(`${baseUrl}/docs/errors`)
    await page.goBack()
    expect(await field.inputValue()).toBe('')
    await field.fill(apiKey)
    await page.reload()
    expect(await field.inputValue()).toBe('')
    await page.context().close()
  })

  test('a page restored by the back button shows no input, response or token', async () => {
    const { page } = await openPage(browser)
    const response = { path: '/auth/login', body: '{"accessToken": "eyJ.a.b"}' }
    const form = await openForm(page, 'postLogin', response)
    const body = form.getByLabel('Body')
    const example = await body.inputValue()
    await body.fill('{"username": "ann", "password": "hers alone", "totpCode": "123456"}')
    await page.getByLabel('Access token').fill('eyJ.a.b')
    expect(await sent(form)).toContain('eyJ.a.b')
    // The event of a page that the browser restores for the back button.
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
    expect(await body.inputValue()).toBe(example)
    expect(await page.getByLabel('Access token').inputValue()).toBe('')
    expect(await page.locator('main').textContent()).not.toMatch(/hers alone|eyJ\.a\.b/)
    expect(await form.locator('.answer').isVisible()).toBe(false)
    await page.context().close()
  })

  test('a page restored by the back button shows no late response', async () => {
    const { page } = await openPage(browser)
    const form = await openForm(page, 'postLogin')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(`${baseUrl}/auth/login`, async (asked) => {
      await released
      await asked.fulfill({ body: '{"accessToken": "eyJ.a.b"}' })
    })
    const button = form.getByRole('button', { name: 'Send' })
    await button.click()
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`)
    release()
    await expect.poll(() => button.getAttribute('aria-disabled')).toBe(null)
    expect(await form.locator('.answer').textContent()).toBe('')
    expect(await sent(form)).toContain('eyJ.a.b')
    await page.context().close()
  })

  test.each(['.', '..'])('a path segment that a URL cannot contain is not sent: %s', async (id) => {
    const { page, requests } = await openPage(browser)
    const form = await openForm(page, 'deleteWithdrawal')
    await form.getByLabel('id (required)').fill(id)
    const before = requests.length
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByLabel('Answer').getByText(`id cannot be "${id}"`).waitFor({ timeout: 5_000 })
    expect(requests.slice(before)).toEqual([])
    await page.context().close()
  })

  test('a form is sent once when Enter is pressed repeatedly, and keeps the focus', async () => {
    const { page, requests } = await openPage(browser)
    const form = await openForm(page, 'getChains')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(`${baseUrl}/chains`, async (asked) => {
      await released
      await asked.fulfill({ body: '{}' })
    })
    const button = form.getByRole('button', { name: 'Send' })
    await button.focus()
    for (const _ of [1, 2, 3]) await page.keyboard.press('Enter')
    release()
    await form.getByLabel('Answer').getByText('200 OK').waitFor()
    expect(requests.filter((url) => url.endsWith('/chains'))).toHaveLength(1)
    expect(await button.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => requests.filter((url) => url.endsWith('/chains')).length).toBe(2)
    await page.context().close()
  })

  test('a body is sent as typed, and an error response is shown', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${baseUrl}/docs#postWithdrawals`)
    await page.getByLabel('API key').fill(apiKey)
    const section = page.locator('section.operation', { has: page.locator('#postWithdrawals') })
    await section.getByText('Try it').click()
    await section.getByLabel('Body').fill('{"chainId": "eip155:1')
    await section.getByRole('button', { name: 'Send' }).click()
    const answer = section.getByLabel('Answer')
    await answer.getByText('BAD_REQUEST', { exact: false }).first().waitFor()
    expect(await answer.textContent()).toMatch(/^400 /)
    await page.context().close()
  })

  test.each([
    ['light', 'wide'],
    ['dark', 'narrow'],
  ] as const)('the page has no accessibility violations: %s, %s', async (colorScheme, size) => {
    const { page, complaints } = await openPage(browser, { colorScheme, viewport: SIZES[size] })
    for (const path of PAGES_OF[size]) {
      await page.goto(`${baseUrl}${path}`)
      await page.evaluate(
        `[...document.querySelectorAll('details')].slice(0, 9).forEach((one) => (one.open = true))`,
      )
      expect([path, ...(await seriousWrongs(page))]).toEqual([path])
      const beyond = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      expect([path, beyond]).toEqual([path, 0])
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the page is readable without scripts', async () => {
    const { page } = await openPage(browser, { javaScriptEnabled: false })
    await page.goto(`${baseUrl}/docs`)
    expect(await page.locator('section.operation').count()).toBeGreaterThan(20)
    expect(await page.getByText('Try it').first().isVisible()).toBe(false)
    await page.context().close()
  })
})
