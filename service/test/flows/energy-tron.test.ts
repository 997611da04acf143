import { base58Of, type TronTransaction } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { iso } from '../../src/base/clock.ts'
import { raiseAlert } from '../../src/journal/raise-alert.ts'
import { tronSender } from '../adapters/tron-world.ts'
import {
  COIN,
  CONTRACT,
  created,
  deposited,
  expectWhole,
  foreign,
  gasOf,
  opened,
  signedFor,
  SHASTA,
  SOLID_LAG,
  TRX,
  type TronHouse,
  USDT,
  WINDOW_BLOCKS,
} from '../support/tron-house.ts'

/** Gives more energy than a few payments take. */
const STAKE = 100_000n * TRX
/** Sweeps of a token burn so much and more, where nothing is lent. */
const BURNT = 6n * TRX

test('I17 a sweep of a token uses lent energy, which is taken back, and burns none', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  // The address must exist before it can be lent anything.
  await untilSwept(house, address)
  await back(house)
  expect(house.chain.tokens(CONTRACT, house.settlement)).toBe(50n * TRX)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned', address, place: 'deposits' }])
  expect(house.chain.delegated(house.gas, address)).toBe(0n)
  // Activation and a few bytes of bandwidth are all that it has cost.
  expect(await spentOn(house)).toBeLessThan(3n * TRX)
  expect(kindsOf(house, address)).toEqual([
    'TransferContract',
    'DelegateResourceContract',
    'TriggerSmartContract',
    'UnDelegateResourceContract',
  ])
  await expectWhole(house)
})

test('where the gas wallet has staked nothing, coins are sent and burnt as ever', async () => {
  const house = await opened()
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
  expect(await spentOn(house)).toBeGreaterThan(BURNT)
})

test('a stake that gives too little is not lent', async () => {
  const house = await staked(3n * TRX)
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
  await expectWhole(house)
})

test('energy is burnt where that is cheaper than two more transactions', async () => {
  const house = await staked()
  house.chain.params.energyFee = 4n
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
})

test('withdrawals of a token that wait together share one loan', async () => {
  const house = await staked()
  await deposited(house, 'ben', 90n * TRX)
  await untilSwept(house, (await house.world.issue('ben', SHASTA)).address)
  await back(house)
  const before = await gasOf(house)
  const ids: string[] = []
  for (const number of [601, 602, 603]) {
    const recipient = tronSender(number).address
    ids.push(await created(house, { tokenId: USDT, recipient, amount: String(10n * TRX) }))
  }
  for (const id of ids) expect(await house.conclude(id)).toMatchObject({ status: 'Completed' })
  await back(house)
  const lent = (await loansOf(house)).filter(({ place }) => place === 'settlement')
  expect(lent).toMatchObject([{ state: 'Returned', uses: 3 }])
  expect(before - (await gasOf(house))).toBeLessThan(2n * TRX)
  await expectWhole(house)
})

test('W07 T07 a loan that nobody includes is made anew when it has expired', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await activated(house)
  house.chain.lets = () => false
  await house.spend()
  expect(await loansOf(house)).toMatchObject([{ state: 'Lending' }])
  await house.mine(WINDOW_BLOCKS + SOLID_LAG)
  await house.spend()
  expect(await signedFor(house, 'delegation')).toBe(2)
  house.chain.lets = () => true
  await untilSwept(house, address)
  await back(house)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned' }])
  await expectWhole(house)
})

test('W22 a loan that never comes to be is given up, and coins are burnt at last', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await activated(house)
  house.chain.lets = (id) => kindOf(house, id) !== 'DelegateResourceContract'
  for (let round = 0; round < 5; round += 1) {
    await house.spend()
    await house.mine(WINDOW_BLOCKS)
  }
  expect(await signedFor(house, 'delegation')).toBe(4)
  await untilSwept(house, address)
  expect(await loansOf(house)).toMatchObject([{ state: 'Failed' }])
  await expectWhole(house)
})

test('R02 a loan whose block is replaced goes out again with the same bytes', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await activated(house)
  await house.spend()
  await house.mine(1)
  expect(await loansOf(house)).toMatchObject([{ state: 'Lent' }])
  house.chain.reorg({ depth: 2 })
  house.chain.known.clear()
  await house.mine(1)
  expect(await loansOf(house)).toMatchObject([{ state: 'Lending' }])
  await house.mine(3)
  await untilSwept(house, address)
  await back(house)
  expect(await signedFor(house, 'delegation')).toBe(1)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned' }])
  await expectWhole(house)
})

test('W12 energy that nobody came to use is taken back', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await activated(house)
  await house.spend()
  await house.mine(1)
  expect(await loansOf(house)).toMatchObject([{ state: 'Lent' }])
  await house.world.clock.advance(6 * 60_000)
  // As where its process died, and the sweep was given up meanwhile: its address rests a while.
  await house.world.database.transaction((tx) =>
    tx.run(sql`
      update sweeps
         set state = 'Failed',
             updated_at = ${iso(tx.clock.now())}::timestamptz
       where state = 'Waiting'`),
  )
  await house.spend()
  expect(await loansOf(house)).toMatchObject([{ state: 'Lent', uses: 0 }])
  await back(house, 5 * 60_000)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned', uses: 0 }])
  expect(kindsOf(house, address).at(-1)).toBe('UnDelegateResourceContract')
})

test('O09 energy that cannot be taken back is told of, until it is', async () => {
  const house = await staked()
  const { chain, world } = house
  const address = await paidTo(house, 'ann')
  await untilSwept(house, address)
  chain.lets = (id) => kindOf(house, id) !== 'UnDelegateResourceContract'
  await world.clock.advance(11 * 60_000)
  const told = async () =>
    (await world.alerts()).filter(({ code }) => code === 'energy.not_returned')
  for (let round = 0; (await told()).length === 0; round += 1) {
    if (round === 8) throw new Error('nobody was told')
    await house.spend()
    await house.mine(WINDOW_BLOCKS)
  }
  expect(await told()).toMatchObject([
    {
      subject: `${SHASTA} ${address}`,
      message: expect.stringContaining('could not be taken back'),
    },
  ])
  expect(await loansOf(house)).toMatchObject([{ state: 'Lent' }])
  expect(chain.delegated(house.gas, address)).toBeGreaterThan(0n)
  chain.lets = () => true
  await back(house)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned' }])
  expect(chain.delegated(house.gas, address)).toBe(0n)
  expect(await told()).toEqual([])
  await expectWhole(house)
})

test('what somebody else has taken back with the same key is not waited for', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await untilSwept(house, address)
  const [loan] = await loansOf(house)
  expect(loan).toMatchObject({ state: 'Lent' })
  // As after one of ours that came too late.
  const subject = `${SHASTA} ${loan?.address}`
  const alert = { code: 'energy.not_returned', subject, message: 'late', details: {} } as const
  await house.world.database.transaction((tx) => raiseAlert(tx, alert))
  house.chain.head().state?.delegations.clear()
  house.chain.mine(SOLID_LAG + 1)
  await back(house)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned' }])
  expect(await signedFor(house, 'undelegation')).toBe(0)
  expect((await house.world.alerts()).map(({ code }) => code)).not.toContain(alert.code)
})

test('a token that somebody sent to the gas wallet is swept with its own energy', async () => {
  const house = await staked()
  house.chain.payToken({ to: house.gas, amount: 50n * TRX, token: CONTRACT })
  await house.mine(1 + SOLID_LAG)
  await untilSwept(house, house.gas)
  expect(house.chain.tokens(CONTRACT, house.settlement)).toBe(50n * TRX)
  expect(await loansOf(house)).toEqual([])
  // A few bytes of bandwidth: a reserve is kept as if energy were burnt, and given back.
  expect(await spentOn(house)).toBeLessThan(TRX)
  await expectWhole(house)
})

test('W25 while a settlement account is halted, nothing is lent to it', async () => {
  const house = await staked()
  await deposited(house, 'ben', 90n * TRX)
  await untilSwept(house, (await house.world.issue('ben', SHASTA)).address)
  await back(house)
  await foreign(house, { to: tronSender(509).address, amount: 7n * TRX })
  await house.mine(1)
  const [recipient, amount] = [tronSender(600).address, String(10n * TRX)]
  const id = await created(house, { tokenId: USDT, recipient, amount })
  const before = { gas: await gasOf(house), loans: await loansOf(house) }
  for (let round = 0; round < 4; round += 1) await back(house)
  expect(await house.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'operator' })
  expect({ gas: await gasOf(house), loans: await loansOf(house) }).toEqual(before)
})

interface StoredLoan {
  state: string
  address: string
  place: string
  uses: number
}

/** A house whose gas wallet has so much staked for energy. */
async function staked(stake = STAKE): Promise<TronHouse> {
  const house = await opened()
  house.chain.stake(house.gas, stake)
  house.chain.mine()
  return house
}

async function paidTo(house: TronHouse, user: string): Promise<string> {
  await deposited(house, user, 50n * TRX)
  return (await house.world.issue(user, SHASTA)).address
}

/** Until the address has been sent its first coins, and exists. */
async function activated(house: TronHouse): Promise<void> {
  await house.spend()
  await house.mine(1)
}

async function untilSwept(house: TronHouse, address: string): Promise<void> {
  for (let round = 0; house.chain.tokens(CONTRACT, address) > 0n; round += 1) {
    if (round === 12) throw new Error('it is never swept')
    await house.spend()
    await house.mine(1)
  }
  await house.mine(SOLID_LAG)
}

/** Long enough for all that was lent to be back. */
async function back(house: TronHouse, afterMs = 11 * 60_000): Promise<void> {
  await house.world.clock.advance(afterMs)
  for (let round = 0; round < 3; round += 1) {
    await house.spend()
    await house.mine(1 + SOLID_LAG)
  }
}

function loansOf({ world }: TronHouse): Promise<StoredLoan[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<StoredLoan>`
      select l.state, l.address, l.place,
             (select count(*)::int from energy_uses u where u.loan_id = l.id) as uses
        from energy_loans l
       order by l.id`),
  )
}

/** What fees have taken of the claim on gas, and of the place that they were paid from. */
async function spentOn({ world }: TronHouse): Promise<bigint> {
  const { fees } = await world.database.transaction((tx) =>
    tx.one(sql<{ fees: bigint }>`
      select coalesce(sum(fee), 0) as fees
        from spends
       where chain_id = ${SHASTA}`),
  )
  expect(await world.balance(COIN, 'claim:gas')).toBe(1_000n * TRX - fees)
  return fees
}

/** What our own transactions from an address and to it are, in their order. */
function kindsOf({ chain }: TronHouse, address: string): TronTransaction['type'][] {
  const kinds: TronTransaction['type'][] = []
  for (let height = 0; height <= chain.head().height; height += 1) {
    for (const { transaction } of chain.at(height)?.executed ?? []) {
      const { owner_address: owner, to_address: to, receiver_address: borrower } = transaction.value
      const parties = [owner, to, borrower].map((one) => one && base58Of(String(one)))
      if (parties.includes(address)) kinds.push(transaction.type)
    }
  }
  return kinds
}

function kindOf({ chain }: TronHouse, id: string): string | undefined {
  return chain.pool.get(id)?.type
}
