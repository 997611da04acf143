import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { floatWanted } from './float.ts'

const FEE = 100n
const question = {
  settlement: 0n,
  wallet: 10_000n,
  gas: 10_000n,
  dust: 0n,
  owed: 1_000_000n,
  reserved: 0n,
  missing: 0n,
  isStarved: false,
  fee: FEE,
  topUpFee: 20n,
  keep: 2_000n,
}

describe('what the gas wallet gives to the settlement account', () => {
  test('W20 a batch of ten fees where there is nothing', () => {
    expect(floatWanted(question)).toBe(1_000n)
  })

  test('W20 nothing while three fees are left', () => {
    expect(floatWanted({ ...question, settlement: 300n, gas: 10_300n })).toBe(0n)
    expect(floatWanted({ ...question, settlement: 299n, gas: 10_299n })).toBe(701n)
  })

  test('W20 a batch more while somebody waits for gas, as far as sweeps keep theirs', () => {
    const starved = { ...question, settlement: 520n, gas: 10_520n, isStarved: true }
    expect(floatWanted({ ...starved, isStarved: false })).toBe(0n)
    expect(floatWanted(starved)).toBe(1_000n)
    expect(floatWanted({ ...starved, keep: 9_500n })).toBe(480n)
    expect(floatWanted({ ...starved, keep: 10_000n })).toBe(0n)
    expect(floatWanted({ ...starved, settlement: 1_000n, gas: 11_000n })).toBe(0n)
  })

  test('A02 fees that were paid out of clients’ coins are given back with the float', () => {
    const owed = { ...question, settlement: 1_000_000n, gas: 9_500n }
    expect(floatWanted(owed)).toBe(1_500n)
  })

  test('A02 what the last withdrawal of coins lacks is given where it is but fees', () => {
    const floated = { ...question, settlement: 5_000n, gas: 10_900n }
    expect(floatWanted({ ...floated, missing: 80n })).toBe(180n)
    expect(floatWanted({ ...floated, missing: 1_001n })).toBe(0n)
  })

  test('A02 gas that stays on deposit addresses is no float', () => {
    const left = { ...question, settlement: 5_000n, gas: 11_000n, dust: 4_000n }
    expect(floatWanted({ ...left, dust: 0n })).toBe(0n)
    expect(floatWanted(left)).toBe(4_000n)
    // With all clients' coins at the settlement account, the rest there is float.
    expect(floatWanted({ ...left, owed: 4_700n })).toBe(0n)
    expect(floatWanted({ ...left, owed: 4_800n })).toBe(800n)
  })

  test('W20 while nobody waits the wallet keeps what it needs for sweeps', () => {
    const left = { ...question, settlement: 5_000n, gas: 11_000n, dust: 9_000n }
    expect(floatWanted(left)).toBe(7_980n)
    expect(floatWanted({ ...left, keep: 9_500n })).toBe(0n)
    expect(floatWanted({ ...left, keep: 9_500n, missing: 3_000n })).toBe(4_000n)
  })

  test('A02 what fees took is given beyond a batch, and no more', () => {
    const eaten = { ...question, settlement: 5_000n, gas: 11_000n, dust: 4_000n, keep: 9_999n }
    expect(floatWanted({ ...eaten, missing: 1_001n })).toBe(2_001n)
    expect(floatWanted({ ...eaten, missing: 50_000n })).toBe(4_000n)
  })

  test('A02 the fee is given where the last coin is to be paid', () => {
    const last = { ...question, settlement: 5_000n, gas: 11_000n, reserved: 5_000n }
    expect(floatWanted(last)).toBe(1_000n)
    expect(floatWanted({ ...last, settlement: 5_099n })).toBe(901n)
    expect(floatWanted({ ...last, settlement: 5_100n })).toBe(0n)
    expect(floatWanted({ ...last, settlement: 4_999n })).toBe(0n)
  })

  test('W20 never more than the wallet holds, and never less than one fee', () => {
    expect(floatWanted({ ...question, wallet: 500n, gas: 500n })).toBe(480n)
    expect(floatWanted({ ...question, wallet: 119n, gas: 119n })).toBe(0n)
    expect(floatWanted({ ...question, gas: 19n })).toBe(0n)
  })

  test('W20 the wallet is never drained: once given, nothing more is wanted', () => {
    const amounts = fc.bigInt({ min: 0n, max: 100_000n })
    fc.assert(
      fc.property(amounts, amounts, amounts, fc.boolean(), (settlement, wallet, gas, isStarved) => {
        const asked = { ...question, settlement, wallet, gas, isStarved }
        const given = floatWanted(asked)
        expect(given).toBeLessThanOrEqual(wallet)
        if (given < 1_000n) return
        const after = { ...asked, settlement: settlement + given, wallet: wallet - given }
        expect(floatWanted(after)).toBe(0n)
      }),
    )
  })

  test('A02 whatever the dust, clients’ coins are back within a few rounds', () => {
    fc.assert(
      fc.property(
        fc.array(STEP, { minLength: 60, maxLength: 120 }),
        fc.bigInt(1n, 400n),
        (steps, price) => {
          const model = new Model()
          for (const step of steps) model.play(step)
          model.fee = price
          const sent = model.withdrawAll()
          expect(model.settlement).toBeGreaterThanOrEqual(model.clients + price)
          expect(sent).toBeLessThanOrEqual(4)
          expect(model.placed()).toBe(model.clients + model.gas)
        },
      ),
    )
  })

  test('W20 no gift makes the settlement account hold more than clients’ coins and a batch', () => {
    const amounts = fc.bigInt({ min: 0n, max: 100_000n })
    const some = fc.record({
      settlement: amounts,
      wallet: amounts,
      dust: amounts,
      swept: amounts,
      unswept: amounts,
      elsewhere: amounts,
      keep: amounts,
      waits: fc.boolean(),
    })
    fc.assert(
      fc.property(some, ({ settlement, wallet, swept, unswept, elsewhere, waits, ...more }) => {
        const owed = swept + unswept
        const gas = settlement + wallet + unswept + elsewhere - owed
        const missing = waits && owed > settlement ? owed - settlement : 0n
        const reserved = waits ? owed : 0n
        const asked = { ...question, ...more, settlement, wallet, gas, owed, reserved, missing }
        const given = floatWanted(asked)
        if (given > 0n) expect(settlement + given).toBeLessThanOrEqual(owed + 1_000n)
      }),
      { numRuns: 1_000 },
    )
  })
})

type Step = { type: 'pay' | 'leave' | 'deposit' | 'credit'; amount: bigint }

const STEP: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom('pay', 'pay', 'leave', 'leave', 'deposit', 'credit'),
  amount: fc.bigInt(1n, 2_000n),
})

/** Balances and claims of an organization that withdraws with a full gas wallet. */
class Model {
  settlement = 0n
  wallet = 1_000_000n
  gas = 1_000_000n
  clients = 0n
  fee = FEE
  /** Balances of deposit addresses, and whether they were topped up. */
  readonly spots: { amount: bigint; touched: boolean }[] = []

  play({ type, amount }: Step): void {
    if (type === 'pay') this.#pay(this.fee)
    // Remainders of top-ups, below and above the fee.
    if (type === 'leave') this.#leave(amount / 8n)
    if (type === 'deposit') {
      this.clients += amount
      this.settlement += amount
    }
    if (type === 'credit') {
      // Worth its sweep at any price that comes.
      this.clients += amount + 1_000n
      this.spots.push({ amount: amount + 1_000n, touched: false })
    }
    this.#look(0n)
  }

  /** All clients withdraw all; answers with how many top-ups that took. */
  withdrawAll(): number {
    let sent = 0
    for (let round = 0; round < 8; round += 1) {
      if (this.#look(this.#missing(), this.clients)) sent += 1
      this.#sweep()
    }
    return sent
  }

  placed(): bigint {
    return this.spots.reduce((sum, { amount }) => sum + amount, this.settlement + this.wallet)
  }

  #pay(fee: bigint): void {
    if (this.settlement < fee) return
    this.settlement -= fee
    this.gas -= fee
  }

  #leave(amount: bigint): void {
    this.wallet -= amount
    this.spots.push({ amount, touched: true })
  }

  #missing(): bigint {
    return this.clients > this.settlement ? this.clients - this.settlement : 0n
  }

  #look(missing: bigint, reserved = 0n): boolean {
    const { settlement, wallet, gas, clients: owed, fee } = this
    const dust = this.spots
      .filter((spot) => spot.touched && spot.amount < 2n * fee)
      .reduce((sum, { amount }) => sum + amount, 0n)
    const topUpFee = 20n
    const held = { settlement, wallet, gas, dust, owed, reserved, missing, isStarved: false }
    const given = floatWanted({ ...held, fee, topUpFee, keep: 2_000n })
    if (given === 0n) return false
    this.settlement += given
    this.wallet -= given + topUpFee
    this.gas -= topUpFee
    return true
  }

  /** As many as are missing, the fullest first, each less its fee. */
  #sweep(): void {
    const worth = this.spots.filter(({ amount }) => amount > this.fee)
    for (const spot of worth.toSorted((a, b) => (a.amount > b.amount ? -1 : 1))) {
      if (this.#missing() === 0n) return
      this.settlement += spot.amount - this.fee
      this.gas -= this.fee
      spot.amount = 0n
    }
  }
}
