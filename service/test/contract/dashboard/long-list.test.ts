import { beforeAll, expect, test } from 'vitest'
import type { Page } from '../../support/browser.ts'
import { ask, type Json, query } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { depositId, insertDeposits } from '../world/rows.ts'
import { CHAIN } from '../world/state.ts'
import { addressOf, describePages, fileOf, textOf, untilComplete } from './open.ts'

const org = tenantOf('archive')
const viewer = personOf(org, 'viewer')
const { usd } = theWorld().tokens
const COUNT = 10_000
const PAGE = 50
/** End users in the order of their deposits; a spreadsheet runs the first four. */
const USERS = ['+49 170', '-1+1', '=HYPERLINK("https://a.example","x")', '@SUM(A1:A9)', 'ann']
const [PLUS = '', MINUS = '', LINK = '', AT = '', ANN = ''] = USERS
const NUMBER_OF_ANN = USERS.indexOf(ANN)

/** The ids of deposits from a number downwards, each so many below the one before. */
function idsFrom(first: number, count: number, step = 1): string[] {
  return Array.from({ length: count }, (_, index) => depositId(first - index * step))
}

/** Waits for the list to begin with a deposit, and gives the ids of all that are shown. */
async function shownFrom(page: Page, first: string | undefined): Promise<unknown> {
  await page.locator(`tbody tr:first-child a[href$="/deposits/${first}"]`).waitFor()
  return page.evaluate(
    `[...document.querySelectorAll('tbody th a')].map((link) => link.pathname.split('/').at(-1))`,
  )
}

async function expectShown(page: Page, ids: readonly string[]): Promise<void> {
  expect(await shownFrom(page, ids[0])).toEqual(ids)
}

/** The header of a CSV and its lines; those of these tests have no line breaks in cells. */
function linesOf(csv: string): [header: string[], ...lines: string[]] {
  expect(csv.endsWith('\r\n')).toBe(true)
  const [header = '', ...lines] = csv.slice(0, -2).split('\r\n')
  return [header.split(','), ...lines]
}

/** A deposit of the list as the HTTP interface answers it. */
async function recordOf(number: number): Promise<Json> {
  const { json } = await ask(`/deposits/${depositId(number)}`, { key: org.apiKey })
  return json['deposit'] as Json
}

describePages(`a list of ${COUNT} deposits`, (open) => {
  beforeAll(async () => {
    for (const userId of USERS) {
      const where = query({ chainId: CHAIN, tokenId: usd, userId })
      const issued = await ask(`/payments/deposit-address${where}`, { key: org.apiKey })
      expect(issued.status).toBe(201)
    }
    await insertDeposits(org, { tokenId: usd, count: COUNT })
  })

  test('has pages of bounded length, forward and back, that the address names', async () => {
    const { page, visit, expectQuiet, close } = await open(viewer)
    await visit('/deposits')
    await expectShown(page, idsFrom(COUNT, PAGE))
    await page.getByRole('button', { name: 'Next page' }).click()
    await expectShown(page, idsFrom(COUNT - PAGE, PAGE))
    await page.getByRole('button', { name: 'Next page' }).click()
    await expectShown(page, idsFrom(COUNT - 2 * PAGE, PAGE))
    await page.reload()
    await expectShown(page, idsFrom(COUNT - 2 * PAGE, PAGE))
    await page.goBack()
    await expectShown(page, idsFrom(COUNT - PAGE, PAGE))
    await page.getByRole('button', { name: 'First page' }).click()
    await expectShown(page, idsFrom(COUNT, PAGE))
    expect(page.url()).toBe(addressOf('/deposits'))
    expectQuiet()
    await close()
  })

  test('has filters that the address names, on each page and in another browser', async () => {
    const users = USERS.length
    const first = COUNT - users + NUMBER_OF_ANN
    const { page, visit, close } = await open(viewer)
    await visit('/deposits')
    await page.getByLabel('End user').fill(ANN)
    await page.getByLabel('End user').press('Enter')
    await expectShown(page, idsFrom(first, PAGE, users))
    await page.getByRole('button', { name: 'Next page' }).click()
    const second = idsFrom(first - PAGE * users, PAGE, users)
    await expectShown(page, second)
    const other = await open(viewer)
    await other.page.goto(page.url())
    await expectShown(other.page, second)
    await other.close()

    await page.getByLabel('Status').selectOption('Confirmed')
    await page.getByText('No record matches').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expectShown(page, idsFrom(COUNT, PAGE))
    const { txnHash } = await recordOf(4_711)
    await page.getByLabel('Search', { exact: true }).fill(String(txnHash))
    await page.getByLabel('Search', { exact: true }).press('Enter')
    await expectShown(page, [depositId(4_711)])
    await close()
  })

  test('is exported with every record of the filter, as the HTTP answer', async () => {
    const { page, visit, close } = await open(viewer)
    await visit('/deposits')
    const { name, text } = await fileOf(page, 'Export CSV')
    expect(name).toBe('deposits.csv')
    const [header, ...lines] = linesOf(text)
    expect(lines.length).toBe(COUNT)
    const id = header.indexOf('id')
    expect(lines.map((line) => line.split(',')[id])).toEqual(idsFrom(COUNT, COUNT))
    const number = 4_711 - (4_711 % USERS.length) + NUMBER_OF_ANN
    const cells = lines[COUNT - number]?.split(',') ?? []
    const record = await recordOf(number)
    for (const column of ['id', 'txnHash', 'amount', 'status', 'externalUserId', 'createdAt'])
      expect([column, cells[header.indexOf(column)]]).toEqual([column, String(record[column])])
    expect(record).toMatchObject({ amount: String(number), externalUserId: ANN })

    await visit(`/deposits${query({ userId: ANN })}`)
    const filtered = await fileOf(page, 'Export CSV')
    const [, ...some] = linesOf(filtered.text)
    expect(some).toEqual(lines.filter((line) => line.includes(`,${ANN},`)))
    expect(some.length).toBe(COUNT / USERS.length)
    await close()
  })

  test('is exported without cells that a spreadsheet runs', async () => {
    const { page, visit, close } = await open(viewer)
    for (const [userId, cell] of [
      [PLUS, `'${PLUS}`],
      [MINUS, `'${MINUS}`],
      [LINK, `"'${LINK.replaceAll('"', '""')}"`],
      [AT, `'${AT}`],
    ] as const) {
      await visit(`/deposits${query({ userId })}`)
      expect(await textOf(page)).toContain(userId)
      const [, ...lines] = linesOf((await fileOf(page, 'Export CSV')).text)
      expect(lines.length).toBe(COUNT / USERS.length)
      expect(lines.filter((line) => !line.includes(`,${cell},`))).toEqual([])
    }
    await untilComplete(page)
    await close()
  })
})
