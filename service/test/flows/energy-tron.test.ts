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

/** Gives more energy than a few payments use. */
const STAKE = 100_000n * TRX
/** A token sweep burns at least this much without delegated energy. */
const BURNT = 6n * TRX

test('a token sweep uses delegated energy, which is reclaimed, and burns none [I17]', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  // Only an existing address can receive delegated energy.
  await untilSwept(house, address)
  await back(house)
  expect(house.chain.tokens(CONTRACT, house.settlement)).toBe(50n * TRX)
  expect(await loansOf(house)).toMatchObject([{ state: 'Returned', address, place: 'deposits' }])
  expect(house.chain.delegated(house.gas, address)).toBe(0n)
  // The cost is only the activation and a few bytes of bandwidth.
  expect(await spentOn(house)).toBeLessThan(3n * TRX)
  expect(kindsOf(house, address)).toEqual([
    'TransferContract',
    'DelegateResourceContract',
    'TriggerSmartContract',
    'UnDelegateResourceContract',
  ])
  await expectWhole(house)
})

test('coins are sent and burnt when the gas wallet has no stake', async () => {
  const house = await opened()
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
  expect(await spentOn(house)).toBeGreaterThan(BURNT)
})

test('a stake that gives too little energy is not delegated', async () => {
  const house = await staked(3n * TRX)
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
  await expectWhole(house)
})

test('energy is burnt when that is cheaper than two more transactions', async () => {
  const house = await staked()
  house.chain.params.energyFee = 4n
  await untilSwept(house, await paidTo(house, 'ann'))
  expect(await loansOf(house)).toEqual([])
})

test('withdrawals of one token that wait together share one delegation', async () => {
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

test('a delegation that is not included is signed again after it expires [W07 T07]', async () => {
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

test('a delegation that is never included is abandoned, and coins are burnt [W22]', async () => {
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

test('a delegation whose block is replaced is rebroadcast with the same bytes [R02]', async () => {
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

test('unused energy is reclaimed [W12]', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await activated(house)
  await house.spend()
  await house.mine(1)
  expect(await loansOf(house)).toMatchObject([{ state: 'Lent' }])
  await house.world.clock.advance(6 * 60_000)
  // As after a crash of its process while the sweep is abandoned: its address backs off.
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

test('an alert is open while energy cannot be reclaimed [O09]', async () => {
  const house = await staked()
  const { chain, world } = house
  const address = await paidTo(house, 'ann')
  await untilSwept(house, address)
  chain.lets = (id) => kindOf(house, id) !== 'UnDelegateResourceContract'
  await world.clock.advance(11 * 60_000)
  const told = async () =>
    (await world.alerts()).filter(({ code }) => code === 'energy.not_returned')
  for (let round = 0; (await told()).length === 0; round += 1) {
    if (round === 8) throw new Error('no alert was raised')
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

test('energy reclaimed outside with the same key counts as returned', async () => {
  const house = await staked()
  const address = await paidTo(house, 'ann')
  await untilSwept(house, address)
  const [loan] = await loansOf(house)
  expect(loan).toMatchObject({ state: 'Lent' })
  // As after a reclaim of ours that was too late.
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

test('a token sent to the gas wallet is swept with the energy of the wallet', async () => {
  const house = await staked()
  house.chain.payToken({ to: house.gas, amount: 50n * TRX, token: CONTRACT })
  await house.mine(1 + SOLID_LAG)
  await untilSwept(house, house.gas)
  expect(house.chain.tokens(CONTRACT, house.settlement)).toBe(50n * TRX)
  expect(await loansOf(house)).toEqual([])
  // A few bytes of bandwidth: a reserve is held as if energy were burnt, and released.
  expect(await spentOn(house)).toBeLessThan(TRX)
  await expectWhole(house)
})

test('a halted settlement account receives no energy [W25]', async () => {
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

/** A world whose gas wallet has staked the amount for energy. */
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

/** Waits until the address has received its first coins and exists. */
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

/** Waits until all delegated energy is reclaimed. */
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

/** Fees charged to the gas claim and to the place that paid them. */
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

/** The kinds of our transactions from and to an address, in order. */
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
