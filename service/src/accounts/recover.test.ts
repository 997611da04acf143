import { expect, test } from 'vitest'
import { Outage } from '../base/fault.ts'
import { CHAINS } from '../catalogue/chains.ts'
import type { ChainAdapter } from '../chains/chain-adapter.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Seed } from '../keys/seed.ts'
import { recoverAddresses } from './recover.ts'

test.each([
  ['Bitcoin', 0],
  ['Bitcoin Testnet3', 1],
])('%s cannot be searched here: said is what a wallet is to search [K05]', async (name, coin) => {
  const entry = CHAINS.find((chain) => chain.name === name)
  if (entry === undefined) throw new Error(`no chain ${name}`)
  const keyring = openKeyring(new Seed(new Uint8Array(32).fill(7)))
  const nobody: unknown = {}
  const options = { entry, tokens: [], gap: 1, walletGap: 1 }
  const search = recoverAddresses(nobody as ChainAdapter, keyring, options)
  const error = await search.next().then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Outage)
  const text = error instanceof Error ? error.message : ''
  expect(text).toContain(`wpkh(m/84'/${coin}'/N'/0/*)`)
  expect(text).toContain(`tr(m/86'/${coin}'/N'/0/*)`)
  expect(text).not.toMatch(/[xt](pub|prv)/)
})
