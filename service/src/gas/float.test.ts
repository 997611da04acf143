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

describe('a top-up of the settlement account', () => {
  test('is a batch of ten fees when the account is empty [W20]', () => {
    expect(floatWanted(question)).toBe(1_000n)
  })

  test('is 0 while three fees are left [W20]', () => {
    expect(floatWanted({ ...question, settlement: 300n, gas: 10_300n })).toBe(0n)
    expect(floatWanted({ ...question, settlement: 299n, gas: 10_299n })).toBe(701n)
  })

  test('is a batch more while a withdrawal waits, if sweeps keep their gas [W20]', () => {
    const starved = { ...question, settlement: 520n, gas: 10_520n, isStarved: true }
    expect(floatWanted({ ...starved, isStarved: false })).toBe(0n)
    expect(floatWanted(starved)).toBe(1_000n)
    expect(floatWanted({ ...starved, keep: 9_500n })).toBe(480n)
    expect(floatWanted({ ...starved, keep: 10_000n })).toBe(0n)
    expect(floatWanted({ ...starved, settlement: 1_000n, gas: 11_000n })).toBe(0n)
  })

  test('repays fees that clients’ coins paid, with the float [A02]', () => {
    const owed = { ...question, settlement: 1_000_000n, gas: 9_500n }
    expect(floatWanted(owed)).toBe(1_500n)
  })

  test('covers what the last native withdrawal lacks if fees took it [A02]', () => {
    const floated = { ...question, settlement: 5_000n, gas: 10_900n }
    expect(floatWanted({ ...floated, missing: 80n })).toBe(180n)
    expect(floatWanted({ ...floated, missing: 1_001n })).toBe(0n)
  })

  test('does not count gas on deposit addresses as float [A02]', () => {
    const left = { ...question, settlement: 5_000n, gas: 11_000n, dust: 4_000n }
    expect(floatWanted({ ...left, dust: 0n })).toBe(0n)
    expect(floatWanted(left)).toBe(4_000n)
    // With all clients' coins at the settlement account, the rest there is float.
    expect(floatWanted({ ...left, owed: 4_700n })).toBe(0n)
    expect(floatWanted({ ...left, owed: 4_800n })).toBe(800n)
  })

  test('leaves the wallet its gas for sweeps while no withdrawal waits [W20]', () => {
    const left = { ...question, settlement: 5_000n, gas: 11_000n, dust: 9_000n }
    expect(floatWanted(left)).toBe(7_980n)
    expect(floatWanted({ ...left, keep: 9_500n })).toBe(0n)
    expect(floatWanted({ ...left, keep: 9_500n, missing: 3_000n })).toBe(4_000n)
  })

  test('repays what fees took beyond a batch, at most [A02]', () => {
    const eaten = { ...question, settlement: 5_000n, gas: 11_000n, dust: 4_000n, keep: 9_999n }
    expect(floatWanted({ ...eaten, missing: 1_001n })).toBe(2_001n)
    expect(floatWanted({ ...eaten, missing: 50_000n })).toBe(4_000n)
  })

  test('covers the fee when the whole balance is withdrawn [A02]', () => {
    const last = { ...question, settlement: 5_000n, gas: 11_000n, reserved: 5_000n }
    expect(floatWanted(last)).toBe(1_000n)
    expect(floatWanted({ ...last, settlement: 5_099n })).toBe(901n)
    expect(floatWanted({ ...last, settlement: 5_100n })).toBe(0n)
    expect(floatWanted({ ...last, settlement: 4_999n })).toBe(0n)
  })

  test('is at most the wallet’s balance and at least one fee [W20]', () => {
    expect(floatWanted({ ...question, wallet: 500n, gas: 500n })).toBe(480n)
    expect(floatWanted({ ...question, wallet: 119n, gas: 119n })).toBe(0n)
    expect(floatWanted({ ...question, gas: 19n })).toBe(0n)
  })

  test('is 0 after a top-up [W20]', () => {
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

  test('restores clients’ coins within a few rounds for any dust [A02]', () => {
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

  test('never exceeds clients’ coins and a batch [W20]', () => {
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
