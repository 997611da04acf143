import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The part of playwright-core that tests use; it is installed apart. */
export interface Browser {
  newContext(options: PageOptions): Promise<Context>
  close(): Promise<void>
}

export interface PageOptions {
  colorScheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  javaScriptEnabled?: boolean
  reducedMotion?: 'reduce'
}

/** The protocol of Chromium's developer tools. */
interface DevTools {
  send(method: string, params?: object): Promise<unknown>
}

interface Context {
  newCDPSession(page: Page): Promise<DevTools>
  setOffline(isOffline: boolean): Promise<void>
  newPage(): Promise<Page>
  close(): Promise<void>
}

interface Searchable {
  getByLabel(label: string | RegExp, options?: { exact?: boolean }): Locator
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator
  locator(selector: string, options?: { has: Locator }): Locator
}

export interface Locator extends Searchable {
  allTextContents(): Promise<string[]>
  check(): Promise<void>
  click(): Promise<void>
  count(): Promise<number>
  evaluate<T>(change: (element: { ownerDocument: { activeElement: unknown } }) => T): Promise<T>
  fill(text: string): Promise<void>
  first(): Locator
  focus(): Promise<void>
  getAttribute(name: string): Promise<string | null>
  inputValue(): Promise<string>
  isVisible(): Promise<boolean>
  nth(index: number): Locator
  selectOption(value: string): Promise<unknown>
  press(key: string): Promise<void>
  textContent(): Promise<string | null>
  waitFor(options?: { timeout?: number; state?: 'visible' | 'detached' }): Promise<void>
}

export interface Page extends Searchable {
  addInitScript(script: string): Promise<unknown>
  context(): Context
  emulateMedia(media: Pick<PageOptions, 'colorScheme'>): Promise<void>
  evaluate(script: string): Promise<unknown>
  exposeFunction(name: string, call: (text: string) => void): Promise<unknown>
  goBack(): Promise<unknown>
  goto(url: string): Promise<unknown>
  keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> }
  on(event: 'pageerror', listen: (error: Error) => void): unknown
  on(event: 'console', listen: (message: { type(): string; text(): string }) => void): unknown
  on(event: 'request', listen: (request: { url(): string }) => void): unknown
  reload(): Promise<unknown>
  unroute(url: string | RegExp): Promise<unknown>
  url(): string
  waitForEvent(event: 'download'): Promise<Download>
  waitForURL(url: string | RegExp): Promise<void>
  route(url: string | RegExp, answer: (request: Route) => Promise<void>): Promise<unknown>
  screenshot(options: { path: string }): Promise<unknown>
  title(): Promise<string>
}

/** A file that a page saves. */
interface Download {
  suggestedFilename(): string
  path(): Promise<string>
}

interface Route {
  abort(): Promise<void>
  continue(): Promise<void>
  fulfill(answer: { body: string; contentType?: string; status?: number }): Promise<void>
}

interface Playwright {
  chromium: { launch(options: { executablePath: string; args: string[] }): Promise<Browser> }
}

const FOLDER = 'tools/browser'
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
const MANIFEST = new URL(`../../../${FOLDER}/package.json`, import.meta.url)
const require = createRequire(MANIFEST)

const chromiumPath =
  [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path)) ?? ''
const isDriverInstalled = existsSync(new URL('node_modules/playwright-core', MANIFEST))

/** Steps that install what browser tests lack on this machine; "" if they can run. */
export const LACKING = [
  chromiumPath === '' ? 'install Chromium or set CHROMIUM_PATH' : '',
  isDriverInstalled ? '' : `run npm ci --prefix ${FOLDER}`,
]
  .filter((step) => step !== '')
  .join('; ')

/** Starts Chromium without a window. */
export function openBrowser(): Promise<Browser> {
  const { chromium } = require('playwright-core') as Playwright
  return chromium.launch({ executablePath: chromiumPath, args: FLAGS })
}

/** A page, and what went wrong on it. */
export interface Watched {
  page: Page
  /** Errors, warnings and violations of the content policy. */
  complaints: string[]
  /** Every address that was asked for. */
  requests: string[]
}

/** Opens an empty page that notes what it asks for and complains of. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<Watched> {
  const context = await browser.newContext(options)
  ;(context as unknown as { setDefaultTimeout(ms: number): void }).setDefaultTimeout(120_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', (request) => requests.push(request.url()))
  await page.exposeFunction('noteViolation', (what: string) => void complaints.push(what))
  await page.addInitScript(
    `addEventListener('securitypolicyviolation', (event) =>
       noteViolation(event.violatedDirective + ' ' + event.blockedURI))`,
  )
  return { page, complaints, requests }
}

/** Waits until a page of the dashboard has its heading and loads no more. */
export async function untilComplete(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.locator('[aria-label="Loading"]').first().waitFor({ state: 'detached' })
}

/** Serious violations that axe-core finds on a page: impact, rule and the first element. */
export async function seriousWrongs(page: Page): Promise<string[]> {
  const wrongs = await allWrongs(page)
  return wrongs.filter((wrong) => /^(serious|critical):/.test(wrong))
}

/** All violations that axe-core finds on a page: impact, rule and the first element. */
export function allWrongs(page: Page): Promise<string[]> {
  return wrongsOf(page, {})
}

/** The violations of the rules that depend on colours, and so on the colour scheme. */
export function colourWrongs(page: Page): Promise<string[]> {
  return wrongsOf(page, { runOnly: ['color-contrast', 'link-in-text-block'] })
}

async function wrongsOf(page: Page, options: { runOnly?: string[] }): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe())
  const run = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false })
  const found = parseFound(await page.evaluate(`axe.run(${run})`))
  return found.violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`)
}

let axeSource = ''

/** The source of axe-core, read once. */
function axe(): string {
  axeSource ||= readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')
  return axeSource
}

interface Found {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

function parseFound(value: unknown): Found {
  return value as Found
}
