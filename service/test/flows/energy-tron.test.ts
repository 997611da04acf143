import { base58Of, type TronTransaction } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { iso } from '../../src/base/clock.ts'
import { raiseAlert } from '../../src/alerts/raise-alert.ts'
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
  type TronHarness,
  USDT,
  WINDOW_BLOCKS,
} from '../support/tron-harness.ts'

/** Gives more energy than a few payments use. */
const STAKE = 100_000n * TRX
/** A token sweep burns at least this much without delegated energy. */
const BURNT = 6n * TRX

test('a token sweep uses delegated energy, which is reclaimed, and burns none [I17]', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  // Only an existing address can receive delegated energy.
  await untilSwept(harness, address)
  await back(harness)
  expect(harness.chain.tokens(CONTRACT, harness.settlement)).toBe(50n * TRX)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned', address, place: 'deposits' }])
  expect(harness.chain.delegated(harness.gas, address)).toBe(0n)
  // The cost is only the activation and a few bytes of bandwidth.
  expect(await spentOn(harness)).toBeLessThan(3n * TRX)
  expect(kindsOf(harness, address)).toEqual([
    'TransferContract',
    'DelegateResourceContract',
    'TriggerSmartContract',
    'UnDelegateResourceContract',
  ])
  await expectWhole(harness)
})

test('coins are sent and burnt when the gas wallet has no stake', async () => {
  const harness = await opened()
  await untilSwept(harness, await paidTo(harness, 'ann'))
  expect(await loansOf(harness)).toEqual([])
  expect(await spentOn(harness)).toBeGreaterThan(BURNT)
})

test('a stake that gives too little energy is not delegated', async () => {
  const harness = await staked(3n * TRX)
  await untilSwept(harness, await paidTo(harness, 'ann'))
  expect(await loansOf(harness)).toEqual([])
  await expectWhole(harness)
})

test('energy is burnt when that is cheaper than two more transactions', async () => {
  const harness = await staked()
  harness.chain.params.energyFee = 4n
  await untilSwept(harness, await paidTo(harness, 'ann'))
  expect(await loansOf(harness)).toEqual([])
})

test('withdrawals of one token that wait together share one delegation', async () => {
  const harness = await staked()
  await deposited(harness, 'ben', 90n * TRX)
  await untilSwept(harness, (await harness.world.issue('ben', SHASTA)).address)
  await back(harness)
  const before = await gasOf(harness)
  const ids: string[] = []
  for (const number of [601, 602, 603]) {
    const recipient = tronSender(number).address
    ids.push(await created(harness, { tokenId: USDT, recipient, amount: String(10n * TRX) }))
  }
  for (const id of ids) expect(await harness.conclude(id)).toMatchObject({ status: 'Completed' })
  await back(harness)
  const lent = (await loansOf(harness)).filter(({ place }) => place === 'settlement')
  expect(lent).toMatchObject([{ state: 'Returned', uses: 3 }])
  expect(before - (await gasOf(harness))).toBeLessThan(2n * TRX)
  await expectWhole(harness)
})

test('a delegation that is not included is signed again after it expires [W07 T07]', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  await activated(harness)
  harness.chain.lets = () => false
  await harness.spend()
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lending' }])
  await harness.mine(WINDOW_BLOCKS + SOLID_LAG)
  await harness.spend()
  expect(await signedFor(harness, 'delegation')).toBe(2)
  harness.chain.lets = () => true
  await untilSwept(harness, address)
  await back(harness)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned' }])
  await expectWhole(harness)
})

test('a delegation that is never included is abandoned, and coins are burnt [W22]', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  await activated(harness)
  harness.chain.lets = (id) => kindOf(harness, id) !== 'DelegateResourceContract'
  for (let round = 0; round < 5; round += 1) {
    await harness.spend()
    await harness.mine(WINDOW_BLOCKS)
  }
  expect(await signedFor(harness, 'delegation')).toBe(4)
  await untilSwept(harness, address)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Failed' }])
  await expectWhole(harness)
})

test('a delegation whose block is replaced is rebroadcast with the same bytes [R02]', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  await activated(harness)
  await harness.spend()
  await harness.mine(1)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lent' }])
  harness.chain.reorg({ depth: 2 })
  harness.chain.known.clear()
  await harness.mine(1)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lending' }])
  await harness.mine(3)
  await untilSwept(harness, address)
  await back(harness)
  expect(await signedFor(harness, 'delegation')).toBe(1)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned' }])
  await expectWhole(harness)
})

test('unused energy is reclaimed [W12]', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  await activated(harness)
  await harness.spend()
  await harness.mine(1)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lent' }])
  await harness.world.clock.advance(6 * 60_000)
  // As after a crash of its process while the sweep is abandoned: its address backs off.
  await harness.world.database.transaction((tx) =>
    tx.run(sql`
      update sweeps
         set state = 'Failed',
             waiting_for = null,
             waiting_since = null,
             updated_at = ${iso(tx.clock.now())}::timestamptz
       where state = 'Waiting'`),
  )
  await harness.spend()
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lent', uses: 0 }])
  await back(harness, 5 * 60_000)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned', uses: 0 }])
  expect(kindsOf(harness, address).at(-1)).toBe('UnDelegateResourceContract')
})

test('an alert is open while energy cannot be reclaimed [O09]', async () => {
  const harness = await staked()
  const { chain, world } = harness
  const address = await paidTo(harness, 'ann')
  await untilSwept(harness, address)
  chain.lets = (id) => kindOf(harness, id) !== 'UnDelegateResourceContract'
  await world.clock.advance(11 * 60_000)
  const told = async () =>
    (await world.alerts()).filter(({ code }) => code === 'energy.not_returned')
  for (let round = 0; (await told()).length === 0; round += 1) {
    if (round === 8) throw new Error('no alert was raised')
    await harness.spend()
    await harness.mine(WINDOW_BLOCKS)
  }
  expect(await told()).toMatchObject([
    {
      subject: `${SHASTA} ${address}`,
      message: expect.stringContaining('could not be taken back'),
    },
  ])
  expect(await loansOf(harness)).toMatchObject([{ state: 'Lent' }])
  expect(chain.delegated(harness.gas, address)).toBeGreaterThan(0n)
  chain.lets = () => true
  await back(harness)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned' }])
  expect(chain.delegated(harness.gas, address)).toBe(0n)
  expect(await told()).toEqual([])
  await expectWhole(harness)
})

test('energy reclaimed outside with the same key counts as returned', async () => {
  const harness = await staked()
  const address = await paidTo(harness, 'ann')
  await untilSwept(harness, address)
  const [loan] = await loansOf(harness)
  expect(loan).toMatchObject({ state: 'Lent' })
  // As after a reclaim of ours that was too late.
  const subject = `${SHASTA} ${loan?.address}`
  const alert = { code: 'energy.not_returned', subject, message: 'late', details: {} } as const
  await harness.world.database.transaction((tx) => raiseAlert(tx, alert))
  harness.chain.head().state?.delegations.clear()
  harness.chain.mine(SOLID_LAG + 1)
  await back(harness)
  expect(await loansOf(harness)).toMatchObject([{ state: 'Returned' }])
  expect(await signedFor(harness, 'undelegation')).toBe(0)
  expect((await harness.world.alerts()).map(({ code }) => code)).not.toContain(alert.code)
})

test('a token sent to the gas wallet is swept with the energy of the wallet', async () => {
  const harness = await staked()
  harness.chain.payToken({ to: harness.gas, amount: 50n * TRX, token: CONTRACT })
  await harness.mine(1 + SOLID_LAG)
  await untilSwept(harness, harness.gas)
  expect(harness.chain.tokens(CONTRACT, harness.settlement)).toBe(50n * TRX)
  expect(await loansOf(harness)).toEqual([])
  // A few bytes of bandwidth: a reserve is held as if energy were burnt, and released.
  expect(await spentOn(harness)).toBeLessThan(TRX)
  await expectWhole(harness)
})

test('a halted settlement account receives no energy [W25]', async () => {
  const harness = await staked()
  await deposited(harness, 'ben', 90n * TRX)
  await untilSwept(harness, (await harness.world.issue('ben', SHASTA)).address)
  await back(harness)
  await foreign(harness, { to: tronSender(509).address, amount: 7n * TRX })
  await harness.mine(1)
  const [recipient, amount] = [tronSender(600).address, String(10n * TRX)]
  const id = await created(harness, { tokenId: USDT, recipient, amount })
  const before = { gas: await gasOf(harness), loans: await loansOf(harness) }
  for (let round = 0; round < 4; round += 1) await back(harness)
  expect(await harness.read(id)).toMatchObject({ status: 'Pending', waitingFor: 'operator' })
  expect({ gas: await gasOf(harness), loans: await loansOf(harness) }).toEqual(before)
})

interface StoredLoan {
  state: string
  address: string
  place: string
  uses: number
}

/** A world whose gas wallet has staked the amount for energy. */
async function staked(stake = STAKE): Promise<TronHarness> {
  const harness = await opened()
  harness.chain.stake(harness.gas, stake)
  harness.chain.mine()
  return harness
}

async function paidTo(harness: TronHarness, user: string): Promise<string> {
  await deposited(harness, user, 50n * TRX)
  return (await harness.world.issue(user, SHASTA)).address
}

/** Waits until the address has received its first coins and exists. */
async function activated(harness: TronHarness): Promise<void> {
  await harness.spend()
  await harness.mine(1)
}

async function untilSwept(harness: TronHarness, address: string): Promise<void> {
  for (let round = 0; harness.chain.tokens(CONTRACT, address) > 0n; round += 1) {
    if (round === 12) throw new Error('it is never swept')
    await harness.spend()
    await harness.mine(1)
  }
  await harness.mine(SOLID_LAG)
}

/** Waits until all delegated energy is reclaimed. */
async function back(harness: TronHarness, afterMs = 11 * 60_000): Promise<void> {
  await harness.world.clock.advance(afterMs)
  for (let round = 0; round < 3; round += 1) {
    await harness.spend()
    await harness.mine(1 + SOLID_LAG)
  }
}

function loansOf({ world }: TronHarness): Promise<StoredLoan[]> {
  return world.database.transaction((tx) =>
    tx.many(sql<StoredLoan>`
      select l.state, l.address, l.place,
             (select count(*)::int from energy_uses u where u.loan_id = l.id) as uses
        from energy_loans l
       order by l.id`),
  )
}

/** Fees charged to the gas claim and to the place that paid them. */
async function spentOn({ world }: TronHarness): Promise<bigint> {
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
function kindsOf({ chain }: TronHarness, address: string): TronTransaction['type'][] {
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

function kindOf({ chain }: TronHarness, id: string): string | undefined {
  return chain.pool.get(id)?.type
}
