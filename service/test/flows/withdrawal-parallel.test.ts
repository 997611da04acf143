import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenLow } from '../support/door.ts'
import {
  type Desk,
  idIn,
  newReference,
  openDesk,
  RECIPIENT,
  type Signer,
} from '../support/withdrawal-desk.ts'

const ROUNDS = 20
const AT_ONCE = 50

interface Answer {
  status: number
  body: Record<string, unknown>
}

let desk: Desk
let origin: string
beforeAll(async () => {
  desk = await openDesk()
  origin = await listenLow(desk.door)
})
afterAll(() => desk.close())

test('50 concurrent requests reserve at most the balance, in 20 rounds [A01]', async () => {
  await desk.fund(100n)
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await atOnce(() => create({ reference: newReference() }))
    expect(countOf(answers), `round ${round}`).toEqual({ 201: 1, INSUFFICIENT_BALANCE: 49 })
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused.map(({ body }) => body['details'])).toEqual(
      refused.map(() => expect.objectContaining({ available: '40', required: '60' })),
    )
    expect([await desk.available(), await desk.reserved()]).toEqual([40n, 60n])
    await send('DELETE', `/withdrawals/${acceptedIn(answers)}`)
    expect([await desk.available(), await desk.reserved()]).toEqual([100n, 0n])
  }
  expect(await desk.told('withdrawal.created')).toHaveLength(ROUNDS)
})

test('one of 50 equal concurrent requests is accepted, in 20 rounds [A03]', async () => {
  await desk.fund(60n * BigInt(ROUNDS))
  for (let round = 0; round < ROUNDS; round += 1) {
    const reference = newReference()
    const answers = await atOnce(() => create({ reference }))
    expect(countOf(answers), `round ${round}`).toEqual({ 201: 1, DUPLICATE_REFERENCE: 49 })
    const details = { existingWithdrawalId: acceptedIn(answers), sameParameters: true }
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused.map(({ body }) => body['details'])).toEqual(
      refused.map(() => expect.objectContaining(details)),
    )
    const list = await send('GET', `/withdrawals?reference=${reference}`)
    expect(list.body['withdrawals']).toHaveLength(1)
  }
})

test('one of 50 concurrent approvals of one user is counted, in 20 rounds [A06]', async () => {
  const [first] = [await desk.signer(), await desk.signer(), await desk.signer()]
  await desk.fund(60n * BigInt(ROUNDS))
  await desk.threshold(3)
  for (let round = 0; round < ROUNDS; round += 1) {
    const signer = round === 0 ? first : await desk.signer()
    const created = await create({ reference: newReference() })
    const id = idIn(created.body['withdrawal'])
    const totpCode = await signer.code()
    const answers = await atOnce(() => approve(signer, id, totpCode))
    // Requests during the check of ten guesses have to wait (S04).
    const counts = countOf(answers)
    expect(counts[200], `round ${round} ${JSON.stringify(counts)}`).toBeGreaterThan(0)
    expect(
      Object.keys(counts).filter((code) => !['200', 'RATE_LIMIT_EXCEEDED'].includes(code)),
    ).toEqual([])
    expect(await desk.read(id)).toMatchObject({
      status: 'PendingApproval',
      approvers: [desk.apiUserId, signer.userId],
    })
  }
  await desk.threshold(1)
})

function atOnce(work: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, work))
}

function create(more: Record<string, unknown>): Promise<Answer> {
  return send('POST', '/withdrawals', {
    chainId: 'eip155:1',
    tokenId: 'eip155:1/slip44:60',
    amount: '60',
    recipient: RECIPIENT,
    ...more,
  })
}

function approve({ authorization }: Signer, id: string, totpCode: string): Promise<Answer> {
  return send('POST', `/withdrawals/${id}/approve`, { totpCode }, { authorization })
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = { 'x-api-key': desk.door.a.key },
): Promise<Answer> {
  const answer = await fetch(`${origin}${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : JSON_BODY) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: parse(await answer.text()) }
}

const JSON_BODY = { 'content-type': 'application/json' }

function parse(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}

/** The number of each response, by the code of errors. */
function countOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const { error } = body
    const key = typeof error === 'string' ? error : `${status}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

function acceptedIn(answers: readonly Answer[]): string {
  return idIn(answers.find(({ status }) => status === 201)?.body['withdrawal'])
}
