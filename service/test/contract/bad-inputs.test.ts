import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { badBodies, corpus, entriesOf } from './world/corpora.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { expectRefusal } from './world/refusal.ts'
import { countRows } from './world/rows.ts'
import { CHAIN, TAG_CHAIN } from './world/state.ts'

const tenant = tenantOf('corpora')
const key = tenant.apiKey
const token = personOf(tenant, 'admin').accessToken
const { usd } = theWorld().tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const ENTRIES_MIN = 500
/** How many each class of failures.md 1I asks for. */
const LEAST: Readonly<Record<string, number>> = {
  amounts: 80,
  'evm-addresses': 40,
  'bitcoin-addresses': 40,
  'tron-addresses': 20,
  'xrpl-addresses': 25,
  ids: 60,
  'user-ids': 40,
  'webhook-urls': 60,
}

let before: Record<string, number> = {}
let tried = 0

beforeAll(async () => {
  // Without gas the service can only raise an alert.
  await payerOf(8).fund(tenant, { [usd]: 10n ** 6n }, 0n)
  await until('an alert for missing gas', async () => {
    const { json } = await ask('/events?type=gas.low', { key })
    return (json['events'] as Json[]).length > 0 ? true : null
  })
  before = await countRows(tenant)
  expect(Object.keys(before).length).toBeGreaterThan(15)
})

afterAll(async () => {
  expect(await countRows(tenant)).toEqual(before)
  expect(tried).toBeGreaterThan(ENTRIES_MIN)
})

function bodyOf(changes: Json = {}): Json {
  const reference = randomUUID()
  return { chainId: CHAIN, tokenId: usd, amount: '1', recipient: RECIPIENT, reference, ...changes }
}

function withdraw(changes: Json): Promise<Answer> {
  return ask('/withdrawals', { key, method: 'POST', body: bodyOf(changes) })
}

/** The code for each entry, all asked at once; an answer of 5xx is no refusal of ours. */
async function expectAll(
  entries: readonly string[],
  codes: readonly string[],
  question: (entry: string) => Promise<Answer>,
): Promise<void> {
  const answers = await Promise.all(entries.map(async (one) => [one, await question(one)] as const))
  tried += answers.length
  for (const [entry, answer] of answers) {
    const short = entry.slice(0, 100)
    const code = codes.find((one) => one === answer.json['error']) ?? codes[0] ?? ''
    expect([short, answer.status, answer.json['error']]).toEqual([short, expect.any(Number), code])
    expectRefusal(answer, code)
  }
}

test('the corpora have their documented lengths', () => {
  for (const [name, least] of Object.entries(LEAST))
    expect([name, Object.values(corpus(name)).flat().length]).toEqual([
      name,
      expect.toSatisfy((count: number) => count >= least),
    ])
  const all = [...Object.keys(LEAST), 'texts'].flatMap((name) => Object.values(corpus(name)).flat())
  const kept = entriesOf('user-ids', 'kept')
  const bodies = badBodies('').length
  expect(bodies).toBeGreaterThanOrEqual(60)
  expect(all.length - kept.length + bodies).toBeGreaterThan(ENTRIES_MIN)
})

describe('V01 amounts', () => {
  test('amounts that are not base units are INVALID_AMOUNT', async () => {
    const entries = entriesOf('amounts', 'malformed')
    await expectAll(entries, ['INVALID_AMOUNT'], (amount) => withdraw({ amount }))
  })

  test('amounts that are not texts are BAD_REQUEST', async () => {
    const { amount: _amount, ...rest } = bodyOf()
    const raw = (text: string) => JSON.stringify(rest).replace('{', () => `{"amount":${text},`)
    await expectAll(entriesOf('amounts', 'notText'), ['BAD_REQUEST'], (text) =>
      ask('/withdrawals', { key, method: 'POST', raw: raw(text) }),
    )
  })

  test('amounts above the balance are INSUFFICIENT_BALANCE', async () => {
    await expectAll(entriesOf('amounts', 'tooMuch'), ['INSUFFICIENT_BALANCE'], (amount) =>
      withdraw({ amount }),
    )
  })
})

const NETWORKS = [
  ['V02', 'evm-addresses', CHAIN],
  ['V03', 'bitcoin-addresses', 'bip122:000000000019d6689c085ae165831e93'],
  ['V04', 'tron-addresses', 'tron:0x00000000000000000000000000000000'],
  ['V05', 'xrpl-addresses', 'xrpl:mainnet'],
  // Has a node, and so says what is wrong with the recipient (as all do in `recipients.test.ts`).
  ['V05', 'xrpl-addresses', TAG_CHAIN],
] as const

describe.each(NETWORKS)('%s %s', (_number, name, chainId) => {
  const malformed = entriesOf(name, 'malformed')
  const refused = corpus(name)['refused'] ?? []

  test('hostile addresses are refused as recipients on their chain', async () => {
    const { json } = await ask(`/chains/${chainId}`, { key })
    const isEnabled = (json['chain'] as Json)['enabled'] === true
    const { json: listed } = await ask(`/tokens${query({ chainId, enabledOnly: 'false' })}`, {
      key,
    })
    const coin = (listed['tokens'] as Json[]).find(({ id }) => String(id).includes('slip44'))
    const code = isEnabled ? 'INVALID_RECIPIENT_ADDRESS' : 'CHAIN_NOT_ENABLED'
    await expectAll([...malformed, ...refused], [code], (recipient) =>
      withdraw({ chainId, tokenId: coin?.['id'], recipient }),
    )
  })

  test('hostile addresses are refused as recipients on another chain', async () => {
    const others = malformed.filter((one) => !/^0x[0-9a-f]{40}$/i.test(one))
    await expectAll(others, ['INVALID_RECIPIENT_ADDRESS'], (recipient) => withdraw({ recipient }))
  })

  test('hostile addresses are refused as filters', async () => {
    await expectAll(malformed, ['BAD_REQUEST'], (address) =>
      ask(`/accounts${query({ chainId, address })}`, { key }),
    )
  })
})

describe('V05 destination tags', () => {
  const tokenId = `${TAG_CHAIN}/slip44:144`
  const recipient = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe'
  // The reserve of an account that does not exist yet.
  const amount = '1000000'
  const pay = (memo: string) => withdraw({ chainId: TAG_CHAIN, tokenId, amount, recipient, memo })

  test('tags that are not canonical 32-bit numbers are BAD_REQUEST', async () => {
    const refused = entriesOf('xrpl-tags', 'refused')
    await expectAll(refused, ['BAD_REQUEST'], async (memo) => {
      const answer = await pay(memo)
      expect([memo, answer.json['details']]).toMatchObject([memo, { field: 'memo' }])
      return answer
    })
  })

  test('valid tags fail only for lack of balance', async () => {
    await expectAll(entriesOf('xrpl-tags', 'kept'), ['INSUFFICIENT_BALANCE'], pay)
  })
})

describe('V06 ids', () => {
  const chains = entriesOf('ids', 'chains')
  const tokens = entriesOf('ids', 'tokens')

  test('hostile ids are not a chain', async () => {
    await expectAll([...chains, ''], ['INVALID_CHAIN'], (chainId) => withdraw({ chainId }))
    await expectAll([...chains, ''], ['INVALID_CHAIN'], (chainId) =>
      ask(`/payments/deposit-address${query({ chainId, tokenId: usd, userId: 'ann' })}`, { key }),
    )
    await expectAll(chains, ['INVALID_CHAIN'], (id) =>
      ask(`/chains/${encodeURIComponent(id)}`, { key }),
    )
    await expectAll([...chains, ''], ['INVALID_CHAIN'], (chainId) =>
      ask(`/tokens${query({ chainId })}`, { key }),
    )
  })

  test('hostile ids are refused as chain filters', async () => {
    for (const path of ['/payments', '/accounts', '/withdrawals', '/portfolio'])
      await expectAll([...chains, ''], ['BAD_REQUEST'], (chainId) =>
        ask(`${path}${query({ chainId })}`, { key }),
      )
  })

  test('hostile ids are not a token', async () => {
    await expectAll([...tokens, ''], ['INVALID_TOKEN'], (tokenId) => withdraw({ tokenId }))
    const parameters = { chainId: CHAIN, userId: 'ann' }
    await expectAll([...tokens, ''], ['INVALID_TOKEN'], (tokenId) =>
      ask(`/payments/deposit-address${query({ ...parameters, tokenId })}`, { key }),
    )
    for (const path of ['/payments', '/portfolio'])
      await expectAll([...tokens, ''], ['BAD_REQUEST'], (tokenId) =>
        ask(`${path}${query({ tokenId })}`, { key }),
      )
  })

  test('ids as lists, or repeated, are refused', async () => {
    const rest = query({ tokenId: usd, userId: 'ann' })
    const twice = [`chainId[]=${CHAIN}`, `chainId=${CHAIN}&chainId=${CHAIN}`, `chainId[0]=${CHAIN}`]
    await expectAll(twice, ['BAD_REQUEST'], (text) =>
      ask(`/payments/deposit-address${rest}&${text}`, { key }),
    )
  })

  test('hostile ids are neither a withdrawal nor an event', async () => {
    const ids = [...chains, ...tokens].filter((one) => !/^\.{0,2}$/.test(one))
    for (const method of ['GET', 'DELETE'])
      await expectAll(ids, ['WITHDRAWAL_NOT_FOUND'], (id) =>
        ask(`/withdrawals/${encodeURIComponent(id)}`, { key, method }),
      )
    await expectAll(ids, ['NOT_FOUND'], (id) => ask(`/events/${encodeURIComponent(id)}`, { key }))
  })
})

describe('V07 external user ids', () => {
  const refused = entriesOf('user-ids', 'refused')

  test('invalid user ids are INVALID_USER_ID in every place', async () => {
    const parameters = { chainId: CHAIN, tokenId: usd }
    const codes = ['INVALID_USER_ID']
    await expectAll([...refused, ''], codes, (userId) =>
      ask(`/payments/deposit-address${query({ ...parameters, userId })}`, { key }),
    )
    for (const path of ['/payments', '/accounts'])
      await expectAll([...refused, ''], codes, (userId) => ask(path + query({ userId }), { key }))
    await expectAll(refused, codes, (userId) =>
      ask(`/payments/${encodeURIComponent(userId)}/deposits`, { key }),
    )
    await expectAll([...refused, ''], codes, (externalUserId) => withdraw({ externalUserId }))
  })

  test('odd user ids are only searched for [S16]', async () => {
    for (const userId of entriesOf('user-ids', 'kept')) {
      const paths = [`/payments${query({ userId })}`, `/accounts${query({ userId })}`]
      for (const path of [...paths, `/payments/${encodeURIComponent(userId)}/deposits`])
        expect([path, (await ask(path, { key })).status]).toEqual([path, 200])
    }
  })
})

const ASSERTION = {
  id: 'a',
  response: { clientDataJSON: 'b', authenticatorData: 'c', signature: 'd' },
}
const CREDENTIAL = { id: 'a', response: { clientDataJSON: 'b', attestationObject: 'c' } }
const BODIES: [method: string, path: string, body: Json, credential: object][] = [
  ['POST', '/withdrawals', bodyOf(), { key }],
  ['POST', '/withdrawals/estimate', bodyOf(), { key }],
  [
    'PATCH',
    '/organisation/webhook',
    { webhookUrl: 'https://hooks.unreachable.example.com/' },
    { key },
  ],
  ['PATCH', '/organisation/min-withdrawal-signers', { minWithdrawalSigners: 1 }, { key }],
  ['POST', `/withdrawals/${randomUUID()}/approve`, { totpCode: '000000' }, { token }],
  ['POST', `/withdrawals/${randomUUID()}/approve`, { assertion: ASSERTION }, { token }],
  ['POST', '/auth/passkeys', { name: 'x', credential: CREDENTIAL }, { token }],
  ['POST', `/withdrawals/${randomUUID()}/reject`, { totpCode: '000000', reason: 'x' }, { token }],
  ['POST', '/auth/login', { username: 'ann', password: 'x', totpCode: '1' }, {}],
]

/** A body so long that the peer may hang up while it is sent, which loses the answer. */
const HUNG_UP_BYTES = 1_000_000

describe.each(BODIES)('V08 the body of %s %s', (method, path, body, credential) => {
  test.each(badBodies(JSON.stringify(body).slice(1, -1)))('$what', async ({ bytes, headers }) => {
    tried += 1
    const asking = ask(path, { ...credential, method, raw: bytes, headers })
    const answer = await asking.catch((error: unknown) => {
      if (bytes.length > HUNG_UP_BYTES && /EPIPE|ECONNRESET/.test(String(error))) return null
      throw error
    })
    if (answer !== null) expectRefusal(answer, 'BAD_REQUEST')
  })
})

describe('V08 texts of a withdrawal', () => {
  test.each(['reference', 'memo', 'internalNote'])(
    'texts that are too long or not a text are refused: %s',
    async (name) => {
      await expectAll(entriesOf('texts', name), ['BAD_REQUEST'], (text) =>
        withdraw({ [name]: text }),
      )
      await expectAll(entriesOf('texts', 'notText'), ['BAD_REQUEST'], (json) =>
        withdraw({ [name]: JSON.parse(json) as unknown }),
      )
    },
  )
})

describe('V09 webhook URLs', () => {
  test('URLs without a public address are INVALID_WEBHOOK_URL', async () => {
    await expectAll(entriesOf('webhook-urls', 'refused'), ['INVALID_WEBHOOK_URL'], (webhookUrl) =>
      ask('/organisation/webhook', { key, method: 'PATCH', body: { webhookUrl } }),
    )
    const { json } = await ask('/organisation', { key })
    expect(json['webhookUrl']).toBe('')
  })
})
