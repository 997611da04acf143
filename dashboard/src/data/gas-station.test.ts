import type { Alert, GasWallet, RecordedEvent } from '@sluice/client'
import { expect, test } from 'vitest'
import { lowGasOf, pendingOf } from './gas-station.ts'

const TRON = 'tron:shasta'
const ALERT: Alert = {
  id: 'a',
  code: 'gas.low',
  subject: `${TRON} org`,
  message: '',
  times: 1,
  raisedAt: '2026-11-28T19:27:27.171Z',
  lastAt: '',
  resolvedAt: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
}

function warning(chainId: string, sweepsLeft: number): RecordedEvent {
  const token = { id: 't', name: 'TRON', symbol: 'TRX', decimals: 6, address: '' }
  const payload = { chainId, address: 'T', balance: '1', sweepsLeft, Token: token, at: '' }
  const delivery = {
    state: 'none' as const,
    attemptCount: 0,
    lastStatus: null,
    lastError: '',
    nextAttemptAt: null,
    finishedAt: null,
  }
  const event = { id: 'e', orgId: 'o', sequence: 1, subjectId: 's', timestamp: '', delivery }
  return { ...event, type: 'gas.low', payload }
}

test('a wallet is low while its alert is open, and the newest event counts its sweeps', () => {
  const warnings = [warning('eip155:1', 9), warning(TRON, 2), warning(TRON, 5)]
  expect(lowGasOf({ chainId: TRON }, [ALERT], warnings)).toEqual({
    sweepsLeft: 2,
    since: ALERT.raisedAt,
  })
  expect(lowGasOf({ chainId: TRON }, [ALERT], [])?.sweepsLeft).toBeNull()
})

test('a wallet without an open alert is not low, however many events it had', () => {
  expect(lowGasOf({ chainId: TRON }, [], [warning(TRON, 2)])).toBeNull()
  expect(lowGasOf({ chainId: 'tron:nile' }, [ALERT], [])).toBeNull()
  expect(lowGasOf({ chainId: TRON }, [{ ...ALERT, code: 'deposit.held' }], [])).toBeNull()
})

test('pending is the part of a balance that is not spendable, never less than 0', () => {
  const wallet = { balance: '500', spendable: '480' } as GasWallet
  expect(pendingOf(wallet)).toBe('20')
  expect(pendingOf({ ...wallet, spendable: '501' })).toBe('0')
})
