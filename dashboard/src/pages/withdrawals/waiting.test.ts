import type { SingleWithdrawal } from '@sluice/client'
import { expect, test } from 'vitest'
import { nextAfter, waitingOf } from './waiting.ts'

const open = { id: 'w', chainId: 'tron:shasta', status: 'Pending', waitingFor: null } as const
const waiting = (change: Partial<Pick<SingleWithdrawal, 'status' | 'waitingFor'>>) =>
  waitingOf({ ...open, ...change }, 2)

test('says how many approvals are missing, with a link to the review', () => {
  const found = waiting({ status: 'PendingApproval', waitingFor: 'approvals' })
  expect(found?.why).toContain('2')
  expect(found?.link?.href).toBe('/approvals/w')
})

test('tells the confirmations of its own transaction from those of its funds', () => {
  const own = waiting({ status: 'Processing', waitingFor: 'confirmations' })
  const funds = waiting({ status: 'Pending', waitingFor: 'confirmations' })
  expect(own?.why).not.toBe(funds?.why)
})

test('has a next action for every wait, and none after the end', () => {
  const waits = ['gas', 'fee', 'chain', 'signer', 'operator', null] as const
  for (const waitingFor of waits) expect(waiting({ waitingFor })?.next).not.toBe('')
  expect(waiting({ waitingFor: 'chain' })?.link?.href).toBe('/chains/tron:shasta')
  expect(waiting({ waitingFor: 'gas' })?.link?.href).toBe('/gas-station')
  expect(waiting({ status: 'Completed' })).toBeNull()
})

test('has a next action for every failure, known or not', () => {
  expect(nextAfter('INSUFFICIENT_GAS')).toContain('gas wallet')
  expect(nextAfter('SOMETHING_NEW')).toBe(nextAfter(null))
})
