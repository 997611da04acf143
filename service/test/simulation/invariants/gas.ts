import type { Picture } from '../picture.ts'
import type { View } from './view.ts'

/** Any need is below this multiple of the highest fee of a transaction. */
const AMPLE_FEES = 2n
/** Families whose fees are paid without gas wallets. */
const SHARED = /^(xrpl|bip122):/

/**
 * I19: no alert reports missing gas, and no withdrawal fails for it, if the gas before and after
 * exceeded the highest fee of any transaction.
 */
export function checkGas(view: View, before: Picture | null): string[] {
  const { books } = view.world
  const wrongs: string[] = []
  const isAmple = (whose: { org: string; chain: string }) =>
    [before ?? view.picture, view.picture].every((picture) => isAmpleIn(view, picture, whose))
  for (const { reference, ...whose } of books.withoutGas.splice(0))
    if (isAmple(whose)) wrongs.push(`I19: ${reference} was refused for want of gas, and there is`)
  for (const { id, org, chain, reference, status, failure } of view.picture.withdrawals) {
    const was = before?.withdrawals.find((one) => one.id === id)?.status
    if (status !== 'Failed' || was === status || failure !== 'INSUFFICIENT_GAS') continue
    if (isAmple({ org, chain }))
      wrongs.push(`I19: ${reference} failed for want of gas, and there is`)
  }
  return wrongs
}

/** The highest fees of all transactions that are not included count as spent. */
function isAmpleIn(
  { world }: View,
  { balances, spends }: Picture,
  { org, chain }: { org: string; chain: string },
): boolean {
  const { native, feeCap } = world.chain(chain)
  const accounts = ['claim:gas', ...(SHARED.test(chain) ? ['claim:available'] : [])]
  const there = balances
    .filter((one) => one.org === org && one.token === native && accounts.includes(one.account))
    .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const sent = spends.filter((one) => one.org === org && one.chain === chain && one.block === null)
  return there >= feeCap * (AMPLE_FEES + BigInt(sent.length))
}
