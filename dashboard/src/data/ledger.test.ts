import type { LedgerEntry } from '@sluice/client'
import { expect, test } from 'vitest'
import { accountOf, reasonOf, recordOf } from './ledger.ts'

test.each([
  ['claim:available', 'claim:available', ''],
  ['claim:below_minimum', 'claim:below_minimum', ''],
  ['place:settlement:0xAb', 'place:settlement', '0xAb'],
  ['place:deposits:rfWh', 'place:deposits', 'rfWh'],
  ['claim:later', null, ''],
])('%s is the account %s with the address "%s"', (text, kind, address) => {
  expect(accountOf(text)).toEqual({ kind, address })
})

test('a reversal has the words of what it reverses', () => {
  expect(reasonOf('withdrawal.paid.undone')).toBe('withdrawalPaid')
  expect(reasonOf('deposit.confirmed')).toBe('depositConfirmed')
})

test('an unknown reason has no words, nor a name of every object', () => {
  expect(reasonOf('later.added')).toBeNull()
  expect(reasonOf('toString')).toBeNull()
})

test.each([
  ['deposit.confirmed', '/deposits/a%2Fb'],
  ['withdrawal.fee-held', '/withdrawals/a%2Fb'],
  ['deposit.unattributed', null],
  ['spend.fee', null],
  ['funding.confirmed', null],
])('an entry of %s links to %s', (reason, href) => {
  expect(recordOf({ reason, referenceId: 'a/b' } as LedgerEntry)).toBe(href)
})
