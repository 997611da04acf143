import { expect, test } from 'vitest'
import { ask, type Json, until } from '../world/ask.ts'
import { personOf, tenantOf } from '../world/given.ts'
import { listening } from '../world/listen.ts'
import { expectRefusal } from '../world/refusal.ts'
import { codeOf } from '../world/sign-in.ts'
import { CHAIN } from '../world/state.ts'
import { addressOf, confirm, describePages, takeSecret, textOf, untilComplete } from './open.ts'

const office = tenantOf('office')
const [keeper, developer] = [personOf(office, 'admin', 1), personOf(office, 'admin', 2)]
const ears = listening('office')
const KEY = { form: /^slk_/, stored: 'I have stored the key' }
const SECRET = { form: /^whsec_/, stored: 'I stored the secret in the receiver' }
const FAILED = 3

/** Creates an account with a key, which emits an event. */
function issueAddress(key: string, userId: string) {
  const tokenId = encodeURIComponent(`${CHAIN}/slip44:60`)
  return ask(`/payments/deposit-address?chainId=${CHAIN}&tokenId=${tokenId}&userId=${userId}`, {
    key,
  })
}

/** The test events that have arrived at a path. */
function testsAt(path: string) {
  return ears.told().filter((told) => told.type === 'webhook.test' && told.path === path)
}

describePages('the settings of an admin', (open) => {
  test('an API key is shown once, has its scopes, and is rotated', async () => {
    const { page, visit, expectQuiet, close } = await open(keeper)
    await visit('/api-keys/new')
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('checkbox', { name: /^Deposits/ }).check()
    await page.getByRole('button', { name: 'Review' }).click()
    await confirm(page, 'Create the key “Shop”', codeOf(keeper, 0))
    const key = await takeSecret(page, KEY)
    expect(page.url()).toMatch(addressOf('/api-keys/'))
    const former = page.url()
    expect(await textOf(page)).toContain(`…${key.slice(-4)}`)
    expect((await issueAddress(key, 'office-ann')).status).toBe(201)
    const withdrawal = { method: 'POST', key, body: { chainId: CHAIN } }
    expectRefusal(await ask('/withdrawals', withdrawal), 'FORBIDDEN', { scope: 'withdrawals' })

    await page.getByRole('button', { name: 'Rotate' }).click()
    await page.getByLabel('The old key is refused').selectOption('0')
    await confirm(page, 'Rotate the key “Shop”', codeOf(keeper, 1))
    const next = await takeSecret(page, KEY)
    expect(next).not.toBe(key)
    expect(page.url()).not.toBe(former)
    expectRefusal(await issueAddress(key, 'office-ann'), 'INVALID_API_KEY')
    expect((await issueAddress(next, 'office-ann')).status).toBe(200)
    expectRefusal(await ask('/withdrawals', { ...withdrawal, key: next }), 'FORBIDDEN')
    await page.goto(former)
    await page.getByText('A revoked key cannot be changed or used again.').waitFor()
    expectQuiet()
    await close()
  })

  test('a webhook endpoint is added, tested with its secret, and paused', async () => {
    const { page, visit, expectQuiet, close } = await open(developer)
    const host = new URL(ears.url()).host
    await visit('/webhooks/new')
    await page.getByLabel('URL').fill(ears.url('/added'))
    await page.getByRole('button', { name: 'Continue' }).click()
    await confirm(page, `Add ${host}`, codeOf(developer, 0))
    const secret = await takeSecret(page, SECRET)
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('button', { name: 'Send a signed test' }).click()
    await page.getByText('The receiver accepted the test').waitFor()
    const [received] = ears.receiver().received.filter(({ path }) => path === '/added')
    expect(received && ears.receiver().verify(received, { secret })).toBeNull()
    expect(testsAt('/added').length).toBe(1)
    await page.getByRole('button', { name: 'Close' }).first().click()

    await page.getByRole('button', { name: 'Pause' }).click()
    await confirm(page, `Pause ${host}`, codeOf(developer, 1))
    await page.getByText('Paused: deliveries wait').waitFor()
    expect((await issueAddress(office.apiKey, 'office-ben')).status).toBe(201)
    await page.reload()
    await page.getByRole('link', { name: '1 delivery waits' }).waitFor()
    expect(ears.told().filter(({ path }) => path === '/added').length).toBe(1)
    expectQuiet()
    await close()
  })

  test('failed events are sent again after their number is confirmed', async () => {
    const endpointId = await addEndpoint('/failing')
    ears.receiver().script(...Array.from({ length: FAILED }, () => REFUSAL))
    for (let failed = 0; failed < FAILED; failed += 1) {
      const path = `/webhook-endpoints/${endpointId}/test`
      const { json } = await ask(path, { method: 'POST', key: office.apiKey })
      expect(json['test']).toMatchObject({ isAccepted: false, status: 500 })
    }
    const { page, visit, expectQuiet, close } = await open(developer)
    await visit(`/events?endpointId=${endpointId}&delivery=failed`)
    expect(await page.locator('tbody tr').count()).toBe(FAILED)
    await page.getByRole('button', { name: 'Resend all that match' }).click()
    await page.getByRole('button', { name: `Resend ${FAILED} events` }).click()
    await page.getByText(`${FAILED} events are being sent again`).waitFor()
    await until('the events', async () => (testsAt('/failing').length === 2 * FAILED ? true : null))
    const ids = testsAt('/failing').map(({ envelope }) => envelope['id'])
    expect(new Set(ids).size).toBe(FAILED)
    await page.getByText(/^No delivery to .* waits any more\.$/).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await untilComplete(page)
    await page.getByText('No record matches').waitFor()
    expectQuiet()
    await close()
  })
})

const REFUSAL = { do: 'answer', status: 500 } as const

/** Adds an endpoint at a path of the receiver, and gives its id. */
async function addEndpoint(path: string): Promise<string> {
  const body = { url: ears.url(path), eventTypes: ['gas.low'] } satisfies Json
  const added = await ask('/webhook-endpoints', { method: 'POST', key: office.apiKey, body })
  expect(added.status).toBe(201)
  return String(Object(added.json['endpoint']).id)
}
