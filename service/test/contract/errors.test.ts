import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSession } from '../../src/store/connection.ts'
import { type Answer, type Json, ask, query, until } from './world/ask.ts'
import { openCuttable, type Cuttable } from './world/cut-off.ts'
import { personOf, tenantOf, theWorld } from './world/given.ts'
import { payerOf } from './world/pay.ts'
import { STATUS_BY_CODE, expectRefusal } from './world/refusal.ts'
import { command } from './world/programs.ts'
import { codeOf, wrongCodeOf } from './world/sign-in.ts'
import { CHAIN, TAG_CHAIN } from './world/state.ts'

const errors = tenantOf('errors')
const key = errors.apiKey
const { tokens, tagged } = theWorld()
const { coin, usd, limited, off } = tokens
const RECIPIENT = '0x52908400098527886E0F7030069857D2E4169EE7'
const NOBODY = '01890a5d-ac96-774b-bcce-b302099a8057'
const payer = payerOf(7)

let cuttable: Cuttable
beforeAll(async () => {
  cuttable = await openCuttable()
  await paySettlement({ [usd]: 10n ** 6n, [limited]: 200n })
  await breakRows()
  await command(theWorld().config, ['token', 'enable', off, '--org', errors.id, '--off'])
})
afterAll(async () => {
  await mendRows()
  await cuttable.close()
})

/** Money to be paid out, and nothing to pay its fees with. */
async function paySettlement(amounts: Record<string, bigint>): Promise<void> {
  await payer.fund(errors, amounts, 0n)
}

/** Rows that the database itself refuses, for a name that only this file knows: a bug of ours. */
const BROKEN = `broken-${randomUUID()}`
const BREAKS = `
  create function break_here() returns trigger language plpgsql as $$
  begin
    if to_jsonb(new)::text like '%${BROKEN}%' then raise exception 'broken on purpose'; end if;
    return new;
  end $$;
  create trigger break_here before insert on accounts
    for each row execute function break_here();
  create trigger break_here before insert on withdrawals
    for each row execute function break_here();`
const MENDS = `
  drop trigger break_here on accounts;
  drop trigger break_here on withdrawals;
  drop function break_here();`

function breakRows(): Promise<void> {
  return withSession(theWorld().databaseUrls.owner, (session) => session.script(BREAKS))
}

function mendRows(): Promise<void> {
  return withSession(theWorld().databaseUrls.owner, (session) => session.script(MENDS))
}

function bodyOf(changes: Json): Json {
  const reference = randomUUID()
  return { chainId: CHAIN, tokenId: usd, amount: '5', recipient: RECIPIENT, reference, ...changes }
}

function withdraw(changes: Json = {}): Promise<Answer> {
  return ask('/withdrawals', { key, method: 'POST', body: bodyOf(changes) })
}

function address(changes: Record<string, string>): Promise<Answer> {
  const whole = { chainId: CHAIN, tokenId: usd, userId: 'ann', ...changes }
  return ask(`/payments/deposit-address${query(whole)}`, { key })
}

type Provocation = [code: string, details: Json, provoke: () => Promise<Answer>]

/** A request for each code of section 7.3, and what `details` is promised to hold. */
const PROVOCATIONS: Provocation[] = [
  ['BAD_REQUEST', {}, () => withdraw({ amount: undefined })],
  ['UNAUTHORIZED', {}, () => ask('/organisation')],
  ['INVALID_API_KEY', {}, () => ask('/organisation', { key: `slk_${'A'.repeat(43)}` })],
  ['INVALID_TOKEN', {}, () => address({ tokenId: `${CHAIN}/slip44:1` })],
  ['INVALID_TOTP', {}, () => logInWith(wrongCodeOf(personOf(errors, 'admin')))],
  ['INVALID_PASSKEY', { reason: 'malformed' }, addStrangePasskey],
  ['FORBIDDEN', { required: expect.any(String) }, () => ask('/auth/profile', { key })],
  ['NOT_FOUND', {}, () => ask('/nowhere', { key })],
  ['WITHDRAWAL_NOT_FOUND', {}, () => ask(`/withdrawals/${NOBODY}`, { key })],
  [
    'INVALID_CHAIN',
    { providedChainId: 'eip155:2', supportedChains: expect.arrayContaining([CHAIN]) },
    () => withdraw({ chainId: 'eip155:2' }),
  ],
  ['CHAIN_NOT_ENABLED', {}, () => address({ chainId: 'eip155:1', tokenId: 'eip155:1/slip44:60' })],
  ['TOKEN_NOT_ENABLED', {}, () => address({ tokenId: off })],
  ['INVALID_TOKEN_CHAIN', {}, () => address({ tokenId: 'eip155:1/slip44:60' })],
  ['INVALID_USER_ID', {}, () => address({ userId: 'x'.repeat(256) })],
  ['INVALID_RECIPIENT_ADDRESS', {}, () => withdraw({ recipient: '0x0' })],
  ['INVALID_AMOUNT', { provided: '-1' }, () => withdraw({ amount: '-1' })],
  [
    'INSUFFICIENT_BALANCE',
    { available: '200', required: '4000' },
    () => withdraw({ tokenId: limited, amount: '4000' }),
  ],
  [
    'WITHDRAWAL_BELOW_MINIMUM',
    { provided: '99', minimum: '100' },
    () => withdraw({ tokenId: limited, amount: '99' }),
  ],
  [
    'WITHDRAWAL_ABOVE_MAXIMUM',
    { provided: '5001', maximum: '5000' },
    () => withdraw({ tokenId: limited, amount: '5001' }),
  ],
  [
    'INSUFFICIENT_GAS',
    {
      chainId: CHAIN,
      gasWalletBalance: '0',
      estimatedGasNeeded: expect.stringMatching(/^[1-9]\d*$/),
      nativeToken: expect.any(String),
    },
    () => withdraw(),
  ],
  [
    'MISSING_DESTINATION_TAG',
    { chainId: TAG_CHAIN, toAddress: tagged },
    () => withdraw({ chainId: TAG_CHAIN, tokenId: `${TAG_CHAIN}/slip44:144`, recipient: tagged }),
  ],
  ['INVALID_WEBHOOK_URL', {}, () => patch('/organisation/webhook', { webhookUrl: 'http://x.com' })],
  ['INVALID_INVITATION', {}, () => invitation(`sli_${'A'.repeat(43)}`)],
  ['LAST_ADMIN', { userId: personOf(errors, 'admin').id }, demoteAdmin],
  ['INVALID_MIN_SIGNERS', {}, () => patch('/organisation/min-withdrawal-signers', SIGNERS)],
  ['FAILED_TO_CREATE_DEPOSIT_ACCOUNT', {}, () => address({ userId: BROKEN })],
  [
    'SERVICE_UNAVAILABLE',
    {},
    () => cuttable.whileCut((baseUrl) => ask('/chains', { key, baseUrl })),
  ],
]
const SIGNERS = { minWithdrawalSigners: 99 }

/** Codes that need a created withdrawal, and so gas. */
const LATER: Provocation[] = [
  [
    'DUPLICATE_REFERENCE',
    { existingWithdrawalId: expect.any(String), sameParameters: true },
    async () => {
      const body = bodyOf({})
      const [, second] = [await create(body), await create(body)]
      return second
    },
  ],
  [
    'WITHDRAWAL_NOT_PENDING',
    {},
    async () => {
      const path = `/withdrawals/${await completed()}`
      return ask(path, { key, method: 'DELETE' })
    },
  ],
  [
    'WITHDRAWAL_NOT_REPLACEABLE',
    { reason: 'included' },
    async () => {
      const path = `/withdrawals/${await completed()}/speed-up`
      return ask(path, { key, method: 'POST' })
    },
  ],
  [
    'WITHDRAWAL_ALREADY_PROCESSED',
    {},
    async () => {
      const { accessToken: token, ...approver } = personOf(errors, 'approver')
      const path = `/withdrawals/${await completed()}/approve`
      return ask(path, { token, method: 'POST', body: { totpCode: codeOf(approver) } })
    },
  ],
  ['INTERNAL_ERROR', {}, () => withdraw({ reference: BROKEN })],
]

function create(body: Json): Promise<Answer> {
  return ask('/withdrawals', { key, method: 'POST', body })
}

/** The id of a withdrawal that was paid. */
async function completed(): Promise<string> {
  const { json } = await withdraw()
  const { id } = json['withdrawal'] as Json
  return until('paid', async () => {
    const found = await ask(`/withdrawals/${String(id)}`, { key })
    return found.json['status'] === 'Completed' ? String(id) : null
  })
}

function patch(path: string, body: Json): Promise<Answer> {
  return ask(path, { key, method: 'PATCH', body })
}

function invitation(token: string): Promise<Answer> {
  return ask('/auth/invitation', { method: 'POST', body: { token } })
}

function addStrangePasskey(): Promise<Answer> {
  const { accessToken: token } = personOf(errors, 'admin')
  const credential = { id: 'a', response: { clientDataJSON: 'b', attestationObject: 'c' } }
  return ask('/auth/passkeys', { token, method: 'POST', body: { name: 'x', credential } })
}

function demoteAdmin(): Promise<Answer> {
  const admin = personOf(errors, 'admin')
  const body = { role: 'approver', totpCode: codeOf(admin) }
  return ask(`/users/${admin.id}`, { token: admin.accessToken, method: 'PATCH', body })
}

function logInWith(totpCode: string): Promise<Answer> {
  const { username, password } = personOf(errors, 'admin')
  return ask('/auth/login', { method: 'POST', body: { username, password, totpCode } })
}

/** Reasons why no request returns these codes, from the documents. */
const BY_NO_REQUEST: Readonly<Record<string, string>> = {
  DUPLICATE_DEPOSIT: 'internal: a repeated deposit changes nothing (decisions, 1)',
  INSUFFICIENT_APPROVALS: 'a withdrawal waits for missing approvals (decisions, 6)',
  INVALID_ADDRESS: 'only for operator tools; filters are BAD_REQUEST (decisions, 4 and 9)',
  PASSKEYS_NOT_CONFIGURED: 'this service has a public URL (src/api/passkey-approvals.test.ts)',
  RATE_LIMIT_EXCEEDED: 'in limits.test.ts, on a process with narrow limits',
  INSUFFICIENT_CONFIRMED_BALANCE: 'only on UTXO chains, which this service does not follow',
}

async function prove([code, details, provoke]: Provocation): Promise<void> {
  const answer = await provoke()
  expectRefusal(answer, code, details)
  expect(answer.text).not.toMatch(/\bat \S+:\d+|select |insert |postgres|node_modules|127\.0\.0/i)
}

describe('section 7.3', () => {
  test.each(PROVOCATIONS)('%s is provoked, and returned as documented', (...one) => prove(one))

  describe('with gas', () => {
    beforeAll(() => payer.fund(errors, { [coin]: 1n }))
    test.each(LATER)('%s is provoked with gas, and returned as documented', (...one) => prove(one))
  })

  test('every code of section 7.3 is provoked or impossible', () => {
    const provoked = [...PROVOCATIONS, ...LATER].map(([code]) => code)
    const all = [...provoked, ...Object.keys(BY_NO_REQUEST)].sort()
    expect(all).toEqual(Object.keys(STATUS_BY_CODE).sort())
  })

  test('the page of errors has an anchor for every code', async () => {
    const { status, headers, text } = await ask('/docs/errors')
    expect([status, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/html/)])
    const ids = new Set([...text.matchAll(/\bid="([A-Z_]+)"/g)].map(([, id]) => id))
    expect(Object.keys(STATUS_BY_CODE).filter((code) => !ids.has(code))).toEqual([])
  })
})
