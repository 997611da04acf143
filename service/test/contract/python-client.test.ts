import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Json, ask, query, until } from './world/ask.ts'
import { tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { CHAIN, WEBHOOK_PORTS } from './world/state.ts'

const CLIENT = fileURLToPath(new URL('../../../client-python', import.meta.url))
const IS_OLD = 'import sys; sys.exit(sys.version_info < (3, 9))'
const HAS_PYTHON = spawnSync('python3', ['-c', IS_OLD]).status === 0
const NO_PYTHON = HAS_PYTHON ? '' : ' (python3, 3.9 or newer, is not installed here)'
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'

const tenant = tenantOf('client')
const { apiKey: key } = tenant
const { coin, usd } = theWorld().tokens
const payer = payerOf(0)
const depositor = randomUUID()
let report: Record<string, Json>

/** A deposit of a user and the money of a withdrawal, then one run of the Python program. */
beforeAll(async () => {
  if (!HAS_PYTHON) return
  await Promise.all([payer.fund(tenant, { [usd]: 10n ** 6n }), depositOnce()])
  report = await runClient({
    baseUrl: theWorld().baseUrl,
    apiKey: key,
    chainId: CHAIN,
    tokenId: usd,
    recipient: RECIPIENT,
    depositor,
    webhookPort: theWorld().webhookPorts[WEBHOOK_PORTS.indexOf('python')],
  })
})

async function depositOnce(): Promise<void> {
  await payer.pay(usd, await addressOf(depositor), 2500n)
  await until('the deposit', async () => {
    const { json } = await ask(`/payments${query({ userId: depositor })}`, { key })
    return Array.isArray(json['payments']) && json['payments'].length > 0 ? true : null
  })
}

async function addressOf(userId: string): Promise<string> {
  const parameters = { chainId: CHAIN, tokenId: coin, userId }
  const { json } = await ask(`/payments/deposit-address${query(parameters)}`, { key })
  return Object(json['address']).properties.address
}

async function runClient(input: Json): Promise<Record<string, Json>> {
  const env = { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' }
  const options = { cwd: CLIENT, env }
  const child: ChildProcess = spawn('python3', ['-m', 'tests.against_service'], options)
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null) throw new Error('no pipes')
  stdin.end(JSON.stringify(input))
  const [output, errors, [status]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'close'),
  ])
  expect({ status, errors }).toEqual({ status: 0, errors: '' })
  return JSON.parse(output) as Record<string, Json>
}

describe.skipIf(!HAS_PYTHON)(`the Python client${NO_PYTHON}`, () => {
  test('creates one deposit address for each user and lists deposits', () => {
    expect(report['isReady']).toBe(true)
    expect(report['deposits']).toEqual({
      isSameAddress: true,
      isOtherAddress: true,
      deposit: { amount: '2500', externalUserId: depositor, tokenId: usd },
    })
  })

  test('creates a withdrawal once for a repeated reference', async () => {
    const { id, amount, isSame, duplicate } = report['withdrawals'] ?? {}
    expect({ amount, isSame }).toEqual({ amount: '1500', isSame: true })
    const { json } = await ask(`/withdrawals/${String(id)}`, { key })
    expect(json).toMatchObject({ id, amount: '1500', recipient: RECIPIENT })
    expect(duplicate).toMatchObject({
      status: 422,
      code: 'DUPLICATE_REFERENCE',
      details: { existingWithdrawalId: id, sameParameters: true },
    })
  })

  test('raises refusals with status, code, details, request id and page', () => {
    expect(report['withdrawals']?.['tooMuch']).toMatchObject({
      status: 422,
      code: 'INSUFFICIENT_BALANCE',
      details: { required: '9'.repeat(30), available: expect.stringMatching(/^\d+$/) },
      hasRequestId: true,
      page: 'errors#INSUFFICIENT_BALANCE',
    })
    expect(report['stranger']).toMatchObject({ status: 401, code: 'INVALID_API_KEY' })
  })

  test('verifies deliveries and refuses tampered and replayed ones [H07] [H08]', () => {
    expect(report['webhooks']).toMatchObject({
      type: 'webhook.test',
      payload: { test: true },
      right: 'verified',
      tampered: 'NO_MATCHING_SIGNATURE',
      replayed: 'TIMESTAMP_TOO_OLD',
      otherSecret: 'NO_MATCHING_SIGNATURE',
      feedIsOrdered: true,
    })
  })

  test('verifies deliveries with the old and the new secret after a rotation [H09]', () => {
    expect(report['webhooks']).toMatchObject({
      oldAfterRotation: 'verified',
      newAfterRotation: 'verified',
    })
  })
})
