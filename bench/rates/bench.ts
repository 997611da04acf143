import { holding } from '@sluice/simulator'
import { sql } from 'kysely'
import { type Reading, check, interleave, until } from '../harness/measure.ts'
import type { Report, Sizes } from '../harness/report.ts'
import { CHAIN_ID, COIN, type Harness, count, inHarness } from './installation.ts'

const PAYOUT = 10n ** 16n
const COIN_DEPOSIT = 10n ** 18n
const TOKEN_DEPOSIT = 5_000_000n
const LIMIT_MS = 300_000
const ISSUE_MS = 30_000

/**
 * Benchmark 9: withdrawals with one signer from their creation to the end, and the gas of sweeps,
 * with the whole program on anvil. There is no comparison: anvil's blocks set the pace.
 */
export async function benchRates(sizes: Sizes): Promise<Report> {
  const { payouts, sweeps, rounds } = sizes
  const sides = [
    {
      name: 'withdrawals completed',
      run: () => inHarness((harness) => completeAll(harness, payouts)),
    },
    {
      name: 'coin deposits swept',
      run: () => inHarness((harness) => sweepAll(harness, sweeps, false)),
    },
    {
      name: 'token deposits swept',
      run: () => inHarness((harness) => sweepAll(harness, sweeps, true)),
    },
  ]
  return {
    number: 9,
    title: 'Withdrawals completed on anvil a second, and gas for each deposit swept',
    sizes: { payouts, sweeps },
    comparison: await interleave(sides, rounds),
    verdicts: [],
    skipped: [],
  }
}

async function completeAll(harness: Harness, payouts: number): Promise<Reading> {
  const { anvil, session, ask } = harness
  const recipients = Array.from({ length: payouts }, (_, at) => addressOf(at))
  const began = performance.now()
  await Promise.all(
    recipients.map((recipient, at) => {
      const what = { chainId: CHAIN_ID, tokenId: COIN, amount: String(PAYOUT), recipient }
      return ask('/withdrawals', { ...what, reference: `payout ${at}` })
    }),
  )
  const createdSeconds = (performance.now() - began) / 1_000
  const isDone = async () =>
    (await count(session, 'withdrawals', `status = 'Completed'`)) === payouts
  await until(isDone, LIMIT_MS, 'completed withdrawals')
  const seconds = (performance.now() - began) / 1_000
  for (const recipient of recipients) {
    const held = await holding(anvil, recipient)
    check(held === PAYOUT, 'a recipient with another amount', { recipient, held: String(held) })
  }
  await checkPlaces(harness)
  return { rate: payouts / seconds, more: { createdSeconds } }
}

async function sweepAll(harness: Harness, sweeps: number, isToken: boolean): Promise<Reading> {
  const { session, token, contract, pay } = harness
  const tokenId = isToken ? token : COIN
  const addresses: string[] = []
  for (let at = 0; at < sweeps; at += 1) addresses.push(await issue(harness, tokenId, `user-${at}`))
  const began = performance.now()
  for (const address of addresses) {
    if (isToken) await pay(address, TOKEN_DEPOSIT, contract)
    else await pay(address, COIN_DEPOSIT)
  }
  const paidSeconds = (performance.now() - began) / 1_000
  const isSettled = async () =>
    (await count(session, 'sweeps', `state = 'Done'`)) === sweeps &&
    (await count(session, 'spends', `state <> 'Settled'`)) === 0
  await until(isSettled, LIMIT_MS, 'swept deposits')
  const seconds = (performance.now() - began) / 1_000
  await checkPlaces(harness)
  return { rate: sweeps / seconds, more: { paidSeconds, ...(await gasOf(harness, sweeps)) } }
}

/** Gas for each deposit, of the sweeps and of the top-ups before them. */
async function gasOf({ anvil, session }: Harness, deposits: number) {
  const spends = await session.many(sql<{ purpose: string; hash: string }>`
    select purpose, txn_hash as hash from spends`)
  const used: Record<string, bigint> = {}
  for (const { purpose, hash } of spends) {
    const receipt = await anvil.rpc<{ gasUsed: string }>('eth_getTransactionReceipt', [hash])
    used[purpose] = (used[purpose] ?? 0n) + BigInt(receipt.gasUsed)
  }
  const [sweep = 0n, topUp = 0n] = [used['sweep'], used['top-up']]
  const each = (gas: bigint) => Number(gas) / deposits
  return { gasADeposit: each(sweep + topUp), sweepGas: each(sweep), topUpGas: each(topUp) }
}

async function issue({ ask }: Harness, tokenId: string, user: string): Promise<string> {
  const query = new URLSearchParams({ chainId: CHAIN_ID, tokenId, userId: user }).toString()
  let address: string | undefined
  await until(
    async () => {
      const said = await ask(`/payments/deposit-address?${query}`).catch(() => null)
      address = /0x[0-9a-fA-F]{40}/.exec(JSON.stringify(said))?.[0]
      return address !== undefined
    },
    ISSUE_MS,
    'a deposit address',
  )
  return address ?? ''
}

/** Every place holds on the chain what the ledger says, and nothing stays set aside. */
async function checkPlaces({ anvil, session, token, contract }: Harness): Promise<void> {
  const balances = await session.many(sql<{ account: string; tokenId: string; amount: bigint }>`
    select account, token_id as "tokenId", amount from balances`)
  for (const { account, tokenId, amount } of balances) {
    if (account === 'claim:reserved') check(amount === 0n, 'money is still set aside')
    const [kind, , address] = account.split(':')
    if (kind !== 'place' || address === undefined) continue
    const held = await holding(anvil, address, tokenId === token ? contract : undefined)
    check(held === amount, account, { held: String(held), amount: String(amount) })
  }
}

function addressOf(at: number): string {
  return `0x5a${at.toString(16).padStart(38, '0')}`
}
