import { seeded } from '@sluice/simulator'
import { scriptOf } from '../../service/src/chains/bitcoin/address.ts'
import { chooseAll, chooseCoins } from '../../service/src/chains/bitcoin/choose.ts'
import type { Coin, CoinsReservation, Intent, Payee } from '../../service/src/chains/port.ts'
import { parseChain, parseHolder, parseToken } from '../../service/test/adapters/brands.ts'
import { payeeAddress } from '../bitcoin/make-blocks.ts'
import { type Reading, check, interleave } from '../harness/measure.ts'
import type { Report, Sizes } from '../harness/report.ts'

const CHAIN = parseChain('bip122:000000000933ea01ad0ee984209779ba')
const TERMS = { family: 'bip122', perKvb: 5_000n, maxFee: 10n ** 9n } as const
const HERE = parseHolder(CHAIN, payeeAddress(0))
const CHOICES = 20
const SORT = 'sorting the coins alone'

/**
 * Benchmark 11: the choice of coins for a payment, for a batch of a hundred and for a
 * consolidation, out of very many, against what it takes to sort them.
 */
export async function benchChoice(sizes: Sizes): Promise<Report> {
  const coins = coinsOf(sizes.coins)
  const one = intentOf([60_000n])
  const hundred = intentOf(Array.from({ length: 100 }, (_, at) => 30_000n + BigInt(at)))
  const offer = { coins, change: HERE }
  const comparison = await interleave(
    [
      { name: SORT, run: async () => timed(() => sorted(coins)) },
      side('one payment', 60_000n, () => chooseCoins(one, TERMS, offer)),
      side('a hundred payments', hundred.amount, () => chooseCoins(hundred, TERMS, offer)),
      side('all into one', 0n, () => chooseAll(CHAIN, TERMS, offer)),
    ],
    sizes.rounds,
  )
  return {
    number: 11,
    title: 'Choosing coins, choices a second',
    sizes: { coins: sizes.coins, rounds: sizes.rounds },
    comparison,
    verdicts: [],
    skipped: [],
  }
}

function side(name: string, amount: bigint, choose: () => CoinsReservation | null) {
  const run = async () => {
    const chosen = choose()
    check(chosen !== null, name)
    const spent = (chosen?.coins ?? []).reduce((sum, coin) => sum + coin.amount, 0n)
    check(spent >= amount + (chosen?.change?.amount ?? 0n), `${name} spends too little`)
    return timed(choose)
  }
  return { name, run }
}

function timed(work: () => unknown): Reading {
  const began = process.cpuUsage()
  for (let times = 0; times < CHOICES; times += 1) work()
  const { user, system } = process.cpuUsage(began)
  const cpuMs = (user + system) / 1_000 / CHOICES
  return { rate: 1_000 / cpuMs, more: { cpuMs } }
}

function sorted(coins: readonly Coin[]): Coin[] {
  return [...coins].sort((a, b) => (a.amount > b.amount ? -1 : 1))
}

/** Of amounts as they come: many small ones, few large, some alike. */
function coinsOf(count: number): Coin[] {
  const random = seeded('coins')
  return Array.from({ length: count }, (_, at) => {
    const amount = BigInt(600 + random.int(10 ** (3 + random.int(5))))
    return { txnHash: random.hex(32), vout: at % 3, address: HERE, amount }
  })
}

function intentOf(amounts: readonly bigint[]): Intent {
  const payees: Payee[] = amounts.map((amount, at) => {
    return { to: parseHolder(CHAIN, payeeAddress(at + 1)), amount }
  })
  const [first] = payees
  check(first !== undefined && scriptOf(first.to, CHAIN).length === 22, 'the recipients')
  return {
    chainId: CHAIN,
    tokenId: parseToken(`${CHAIN}/slip44:0`),
    from: HERE,
    to: first?.to ?? HERE,
    amount: amounts.reduce((sum, amount) => sum + amount, 0n),
    memo: null,
    payees,
  }
}
