import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { ask, type Json, query, until } from '../world/ask.ts'
import { personOf, tenantOf, theWorld } from '../world/given.ts'
import { payerOf } from '../world/pay.ts'
import { codeOf, type Person } from '../world/sign-in.ts'
import { CHAIN } from '../world/state.ts'
import { addressOf, describePages, signIn, textOf, untilComplete } from './open.ts'

const org = tenantOf('support')
const key = org.apiKey
const [viewer, admin] = [personOf(org, 'viewer'), personOf(org, 'admin')]
const payer = payerOf(12)
const { usd } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const USER = 'linked/100% مستخدم?#'

/** A record: the path of its page, its heading, and a text that only this record has. */
type Link = readonly [path: string, heading: string, fact: string]

async function first(path: string, name: string): Promise<Json> {
  return until(path, async () => {
    const { json } = await ask(path, { token: admin.accessToken })
    return (json[name] as Json[])[0] ?? null
  })
}

/** Makes a record of each kind, and gives their pages. */
async function makeRecords(): Promise<Link[]> {
  const body = { minWithdrawalSigners: 2 }
  await ask('/organisation/min-withdrawal-signers', { key, method: 'PATCH', body })
  const where = query({ chainId: CHAIN, tokenId: usd, userId: USER })
  const issued = await ask(`/payments/deposit-address${where}`, { key })
  const { address } = Object(issued.json['address']).properties
  const txnHash = await payer.pay(usd, address, 123n)
  await payer.fund(org, { [usd]: 10n ** 9n })
  const wish = { chainId: CHAIN, tokenId: usd, amount: '777000', recipient: RECIPIENT }
  const reference = randomUUID()
  const created = await ask('/withdrawals', { method: 'POST', key, body: { ...wish, reference } })
  const { id } = Object(created.json['withdrawal'])
  const deposit = await first(`/payments${query({ userId: USER })}`, 'payments')
  const apiKey = await first('/api-keys', 'apiKeys')
  const ofDeposit = query({ subjectId: String(deposit['id']), type: 'deposit.detected' })
  const event = await first(`/events${ofDeposit}`, 'events')
  return [
    [`/deposits/${String(deposit['id'])}`, 'Deposit of 0.000123 TUSD', USER],
    [`/accounts/${encodeURIComponent(USER)}`, USER, address],
    [`/trace${query({ txnHash })}`, 'Where is my deposit?', txnHash],
    [`/withdrawals/${id}`, 'Withdrawal of 0.777 TUSD', reference],
    [`/approvals/${id}`, 'Review: 0.777 TUSD on Ethereum Sepolia', reference],
    [`/people/${viewer.id}`, viewer.username, viewer.username],
    [`/api-keys/${String(apiKey['id'])}`, String(apiKey['name']), String(apiKey['lastFour'])],
    [`/webhooks/${org.id}`, 'No URL yet', 'The default endpoint'],
    [`/events/${String(event['id'])}`, 'Deposit detected', USER],
    [`/chains/${CHAIN}`, 'Ethereum Sepolia', 'Test network'],
    [`/deposits${query({ userId: USER, status: 'Held' })}`, 'Deposits', 'No record matches'],
  ]
}

describePages('the address of a record', (open) => {
  let links: readonly Link[]
  beforeAll(async () => {
    links = await makeRecords()
  })

  test('opens the record in another browser', async () => {
    for (const [path, heading, fact] of links) {
      const { page, visit, expectQuiet, close } = await open(admin)
      await visit(path)
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
      await page.getByText(fact).first().waitFor()
      expect(page.url()).toBe(addressOf(path))
      expectQuiet()
      await close()
    }
  })

  test('leads to the record after signing in', async () => {
    const [, user, , withdrawal] = links
    const visits: [Link | undefined, Person][] = [
      [user, viewer],
      [withdrawal, admin],
    ]
    for (const [link, person] of visits) {
      const [path, heading, fact] = link ?? ['', '', '']
      const { page, visit, close } = await open()
      await visit(path)
      expect(await textOf(page)).not.toContain(fact)
      await page.getByLabel('User name').fill(person.username)
      await signIn(page, person.password, codeOf(person, 0))
      await page.getByRole('heading', { name: heading, exact: true }).first().waitFor()
      await untilComplete(page)
      await page.getByText(fact).first().waitFor()
      expect(page.url()).toBe(addressOf(path))
      await close()
    }
  })
})
