import type { ChainStatus, GasWallet } from '@sluice/client'
import { describe, expect, test } from 'vitest'
import { waitReason } from './sweep-wait.ts'

const STATUS = { chainId: 'eip155:1', condition: 'running' } as ChainStatus
const WALLET = { chainId: 'eip155:1', spendable: '5' } as GasWallet
const SWEEP = { chainId: 'eip155:1' }

describe('waitReason', () => {
  test('names the condition of a stopped chain first', () => {
    const statuses = [{ ...STATUS, condition: 'frozen' as const }]
    const gasWallets = [{ ...WALLET, spendable: '0' }]
    expect(waitReason(SWEEP, { statuses, gasWallets })).toEqual({
      kind: 'chain',
      condition: 'frozen',
    })
  })

  test('names an empty gas wallet', () => {
    const wallet = { ...WALLET, spendable: '0' }
    const facts = { statuses: [STATUS], gasWallets: [wallet] }
    expect(waitReason(SWEEP, facts)).toEqual({ kind: 'noGas', wallet })
  })

  test('is the turn of the sweep otherwise', () => {
    const facts = { statuses: [STATUS], gasWallets: [WALLET] }
    expect(waitReason(SWEEP, facts)).toEqual({ kind: 'turn', wallet: WALLET })
    expect(waitReason(SWEEP, { statuses: [], gasWallets: [] })).toEqual({
      kind: 'turn',
      wallet: null,
    })
  })
})
