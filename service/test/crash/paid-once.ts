import { holding, nonceOf } from '@sluice/simulator'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readBalances } from '../../src/ledger/balance.ts'
import { sluiceJson } from '../processes/program.ts'
import { SEPOLIA } from '../support/world-life.ts'
import { readEvents } from './killed-harness.ts'
import type { KilledSpender } from './killed-spender.ts'

/**
 * Each recipient has its amount, each nonce is a spend of ours, each status change has one event.
 */
export async function expectEachOnce(killed: KilledSpender): Promise<void> {
  const { anvil, token, harness, wanted, orgId, config } = killed
  const events = await readEvents(harness)
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1))
  for (const { reference, recipient, amount, tokenId } of wanted) {
    const contract = tokenId.includes('erc20') ? token : undefined
    expect([reference, await holding(anvil, recipient, contract)]).toEqual([reference, amount])
    const told = events.filter(({ payload }) => payload['reference'] === reference)
    const story = told.map(({ type }) => type.replace('withdrawal.', '')).join(' ')
    expect([reference, story]).toEqual([reference, 'created approved processing completed'])
  }
  for (const { sender, nonces, states } of await readSenders(killed)) {
    expect({ sender, nonces }).toEqual({ sender, nonces: nonces.map((_, at) => at) })
    expect({ sender, states }).toEqual({ sender, states: ['Settled'] })
    expect(await nonceOf(anvil, sender)).toBe(nonces.length)
  }
  const balances = await harness.database.forOrg(orgId, (tx) =>
    readBalances(tx, { orgId, chainId: SEPOLIA }),
  )
  for (const { account, amount, tokenId } of balances) {
    const [kind, , address = ''] = account.split(':')
    if (kind !== 'place') continue
    const contract = tokenId.includes('erc20') ? token : undefined
    expect([account, await holding(anvil, address, contract)]).toEqual([account, amount])
  }
  const audit = await sluiceJson<Record<string, unknown>>(config, ['audit'])
  expect(audit).toMatchObject({ drift: 0, chains: [{ findings: [] }] })
}

function readSenders({ harness }: KilledSpender) {
  return harness.database.transaction((tx) =>
    tx.many(sql<{ sender: string; nonces: number[]; states: string[] }>`
      select sender,
             array_agg(nonce order by nonce) as nonces,
             array_agg(distinct state) as states
        from spends
       group by sender`),
  )
}
