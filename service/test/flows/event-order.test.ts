import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredEvent } from '@sluice/wire'
import { type AnvilChain, startAnvilChain } from '../support/anvil-chain.ts'
import type { Answered } from '../support/door.ts'
import { randomWallet } from '../support/random-wallet.ts'
import { idIn } from '../support/withdrawal-desk.ts'
import { type Colleague, openWithdrawingWorld } from '../support/withdrawing-world.ts'
import { SEPOLIA } from '../support/world-life.ts'

const ETHER = `${SEPOLIA}/slip44:60`
const NOTE = 'an internal note 日本 🪙'

let anvil: AnvilChain
beforeAll(async () => {
  anvil = await startAnvilChain(SEPOLIA)
  await anvil.rpc('evm_setAutomine', [true])
})
afterAll(() => anvil.stop())

test('events of a withdrawal are emitted in order, without its note [H11 H13]', async () => {
  const harness = await openWithdrawingWorld(anvil)
  const [ann, ben] = [await harness.colleague('admin'), await harness.colleague()]
  await ann.ask('PATCH', '/organisation/min-withdrawal-signers', { minWithdrawalSigners: 2 })
  const ids = new Map<string, string[]>()
  const ending = ['withdrawal.created', 'withdrawal.approved', 'withdrawal.processing']
  for (const at of [1, 2, 3]) {
    const id = await create(ann, `paid ${at}`)
    await ben.approve(id)
    expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
    ids.set(id, [...ending, 'withdrawal.completed'])
  }
  const cancelled = await create(ann, 'cancelled')
  await ann.ask('DELETE', `/withdrawals/${cancelled}`)
  ids.set(cancelled, ['withdrawal.created', 'withdrawal.cancelled'])

  const feed = eventsIn(await ann.ask('GET', '/events?after=0'))
  expect(feed.map(({ sequence }) => sequence)).toEqual(feed.map((_, at) => at + 1))
  for (const [id, types] of ids) {
    const told = feed.filter((one) => one.subjectId === id && one.type.startsWith('withdrawal.'))
    expect(told.map(({ type }) => type)).toEqual(types)
  }
  const { a, b } = harness.door
  for (const event of feed) {
    const { event: single } = (await ann.ask('GET', `/events/${event.id}`)).json
    const text = JSON.stringify(single)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000)
    expect(text).not.toContain('an internal note')
    expect(text).not.toContain(b.orgId)
    expect(text).not.toContain(a.key)
    expect(event.orgId).toBe(ann.orgId)
  }
  const settings = feed.filter(({ type }) => type === 'settings.changed')
  expect(settings.map(({ payload }) => payload)).toMatchObject([
    { setting: 'minWithdrawalSigners', previous: '1', current: '2', changedBy: ann.userId },
  ])
})

async function create(by: Colleague, reference: string): Promise<string> {
  const answer = await by.ask('POST', '/withdrawals', {
    chainId: SEPOLIA,
    tokenId: ETHER,
    amount: '1000000000000000',
    recipient: randomWallet(reference),
    reference: `${reference} ${'r'.repeat(100)}`,
    internalNote: NOTE,
    externalUserId: '日'.repeat(255),
  })
  expect(answer.status).toBe(201)
  return idIn(answer.json['withdrawal'])
}

function eventsIn({ json }: Answered): StoredEvent[] {
  return json['events'] as StoredEvent[]
}
