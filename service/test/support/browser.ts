import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type Page, chromium } from 'playwright-core'

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
const require = createRequire(import.meta.url)

/** Where this machine has a browser (`CHROMIUM_PATH` says it otherwise); null where it has none. */
export const CHROMIUM: string | null =
  [process.env['CHROMIUM_PATH'] ?? '', ...PLACES].find((path) => existsSync(path)) ?? null

/** Starts the machine's own browser, without a window. */
export function openBrowser(): Promise<Browser> {
  if (CHROMIUM === null) throw new Error('no chromium; set CHROMIUM_PATH')
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
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
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
  const context = await browser.newContext(options)
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

/** What axe-core finds on a page: its rule, how bad, and the first place. */
export async function seriousWrongs(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
  const found = parseFound(await page.evaluate('axe.run()'))
  return found.violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes[0]?.html}`)
}

interface Found {
  violations: { id: string; impact: string; nodes: { html: string }[] }[]
}

function parseFound(value: unknown): Found {
  return value as Found
}
