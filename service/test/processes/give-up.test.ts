import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'
import { Secret } from '../../src/base/secret.ts'
import { totpCode, totpStepAt } from '../../src/orgs/totp.ts'
import { withSession } from '../../src/store/connection.ts'
import {
  type BitcoinTestChain,
  REGTEST,
  TBTC,
  startSimulatedBitcoin,
} from '../support/bitcoin-chain.ts'
import { stranger } from '../support/coin-harness.ts'
import { addUser } from './add-user.ts'
import { type Installation, install } from './installation.ts'
import { build, serve, sluice, sluiceJson, until } from './program.ts'

const CONFIRMATIONS = 2
const PATIENCE = 2

interface Person {
  username: string
  totpSecret: string
}

beforeAll(build)

test('R03 two people give a payment up whose coin can never come back', async () => {
  const { chain, harness } = await begin()
  const { txid } = await deposit(chain, harness)
  const id = await pay(harness, stranger('payee', chain))
  // As with a deposit from before its origin was kept: nothing proves that it cannot come back.
  await withSession(harness.databaseUrl, (session) => session.script('delete from coin_origins'))
  const payees = [{ to: chain.hand.address, amount: 1_000n }]
  const rival = chain.hand.sign({ payees, instead: txid, fee: 90_000n })
  await chain.hand.undo(1 + CONFIRMATIONS)
  await chain.hand.mineExactly([rival.hex])
  await mineEmpty(chain, 1 + CONFIRMATIONS)
  await untilAlert(harness, 'chain.frozen')
  const spendId = await spendOf(harness, id)
  const [ann, bob] = [await approver(harness, 'ann'), await approver(harness, 'bob')]
  expect(await say(harness, spendId, ann)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('is not running'),
  })
  const resume = ['chain', 'resume', REGTEST, '--reason', 'the deposit was spent otherwise']
  await sluiceJson(harness.config, resume)
  await mineEmpty(chain, CONFIRMATIONS + PATIENCE)
  await until('our tip is the head', async () => {
    const head = await chain.hand.rpc<number>('getblockcount')
    const list = ['chain', 'list']
    const chains = await sluiceJson<{ id: string; tip: number | null }[]>(harness.config, list)
    return chains.find(({ id: one }) => one === REGTEST)?.tip === head ? true : null
  })
  const first = await say(harness, spendId, ann)
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('A second person') })
  expect(first.stdout).toContain(`${id}: 30000000 to ${stranger('payee', chain)}`)
  expect(await say(harness, spendId, ann, 1)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('A second person'),
  })
  const second = await say(harness, spendId, bob)
  expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('is given up') })
  expect((await harness.get(`/withdrawals/${id}`)).body).toMatchObject({
    status: 'Failed',
    failureCode: 'DISPLACED',
  })
  expect((await harness.get('/payments')).body['payments']).toMatchObject([{ status: 'Orphaned' }])
})

async function begin() {
  const chain = await startSimulatedBitcoin()
  onTestFinished(() => chain.stop())
  const settings = { confirmations: CONFIRMATIONS, feeBumpAfterBlocks: PATIENCE }
  const harness = await install({ chains: { [REGTEST]: { nodes: [chain.url], ...settings } } })
  serve(harness.config)
  return { chain, harness }
}

async function mineEmpty({ hand }: BitcoinTestChain, blocks: number): Promise<void> {
  for (let at = 0; at < blocks; at += 1) await hand.mineExactly([])
}

/** A deposit that is confirmed. */
async function deposit(chain: BitcoinTestChain, harness: Installation) {
  const query = `chainId=${REGTEST}&tokenId=${TBTC}&userId=alice`
  const address = await until('an address', async () => {
    const answer = await harness.get(`/payments/deposit-address?${query}`).catch(() => null)
    if (answer === null || answer.status >= 300) return null
    const { body } = answer
    return (body['address'] as { properties: { address: string } }).properties.address
  })
  const txid = await chain.hand.pay({ payees: [{ to: address, amount: 90_000_000n }] })
  await chain.hand.mineExactly([txid])
  await mineEmpty(chain, CONFIRMATIONS)
  await until('the credit', async () => {
    const { body } = await harness.get('/payments')
    const [one] = body['payments'] as { status: string }[]
    return one?.status === 'Confirmed' ? true : null
  })
  return { txid }
}

/** A withdrawal that is signed and on its way. */
async function pay({ baseUrl, apiKey, get }: Installation, recipient: string): Promise<string> {
  const wanted = {
    chainId: REGTEST,
    tokenId: TBTC,
    reference: 'one',
    recipient,
    amount: '30000000',
  }
  const answer = await fetch(`${baseUrl}/withdrawals`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(wanted),
  })
  const { withdrawal } = (await answer.json()) as { withdrawal: { id: string } }
  await until('the payment', async () => {
    const { body } = await get(`/withdrawals/${withdrawal.id}`)
    return body['txnHash'] ?? null
  })
  return withdrawal.id
}

async function untilAlert({ config }: Installation, wanted: string): Promise<void> {
  await until(wanted, async () => {
    const open = await sluiceJson<{ code: string }[]>(config, ['alert', 'list'])
    return open.some(({ code }) => code === wanted) ? true : null
  })
}

async function spendOf({ config }: Installation, id: string): Promise<string> {
  const shown = await sluiceJson<{ spends: { id: string }[] }>(config, ['withdrawal', 'show', id])
  return shown.spends[0]?.id ?? ''
}

function approver(installation: Installation, username: string): Promise<Person> {
  return addUser(installation, username, 'approver')
}

/** With the code of now, or of a step that is ahead, on standard input: each is taken once. */
function say({ config }: Installation, id: string, person: Person, stepsAhead = 0) {
  const { username, totpSecret } = person
  const step = totpStepAt(systemClock.now()) + stepsAhead
  const totp = totpCode(new Secret(totpSecret), step)
  const reason = ['--reason', 'a look at the explorers']
  const args = ['spend', 'give-up', id, '--as', username, ...reason]
  return sluice(config, args, { input: `${totp}\n` })
}
