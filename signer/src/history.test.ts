import { describe, expect, test } from 'vitest'
import type { Slot } from './decode/decoded.ts'
import { History, type SignedSlot } from './history.ts'

const SENDER = { chainId: 'eip155:1', from: 'eip155/main/1/0/0/' }
const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64))

function signed(subject: string, slot: Slot, more: Partial<SignedSlot> = {}): SignedSlot {
  const body = slot.kind === 'nonce' ? `body ${slot.nonce}` : 'body'
  return { ...SENDER, subject, slot, body, signed: 1, ...more }
}

function nonce(number: number): Slot {
  return { kind: 'nonce', nonce: number }
}

function historyOf(...slots: SignedSlot[]): History {
  const history = new History()
  for (const slot of slots) history.apply({ at: 0, wallets: [], slots: [slot] })
  return history
}

describe('the withdrawals that a sender signed last', () => {
  test('are those of the last transaction for new ones', () => {
    const history = historyOf(signed(`${A}`, nonce(7)), signed(`${B}`, nonce(8)))
    expect(history.lastOf(SENDER)).toMatchObject({ subjects: [B], slot: nonce(8) })
  })

  test('are all that one transaction pays', () => {
    const inputs: Slot = { kind: 'inputs', outpoints: ['tx:0', 'tx:1'] }
    const history = historyOf(signed(`${A}`, inputs), signed(`${B}`, inputs))
    expect(history.lastOf(SENDER)).toMatchObject({ subjects: [A, B], slot: inputs })
  })

  test('stay after a replacement of an earlier one, and take the slot of their own', () => {
    const wide: Slot = { kind: 'inputs', outpoints: ['tx:0', 'tx:1'] }
    const shared: Slot = { kind: 'inputs', outpoints: ['tx:1'] }
    const first = signed(`${A}`, { kind: 'inputs', outpoints: ['old:0'] }, { body: 'first' })
    const history = historyOf(first, signed(`${B}`, wide))
    history.apply({ at: 0, wallets: [], slots: [{ ...first, signed: 2, body: 'dearer' }] })
    expect(history.lastOf(SENDER)).toMatchObject({ subjects: [B], slot: wide })
    history.apply({
      at: 0,
      wallets: [],
      slots: [signed(`${B}`, shared, { signed: 2, body: 'again' })],
    })
    expect(history.lastOf(SENDER)).toMatchObject({ subjects: [B], slot: shared })
  })

  test('are no transfers between own addresses, no windows, and none of another sender', () => {
    const history = historyOf(
      signed('org/sweep', nonce(7)),
      signed(`${A}`, { kind: 'window', expiresAt: 1 }),
      signed(`${C}`, nonce(1), { from: 'eip155/main/2/0/0/' }),
    )
    expect(history.lastOf(SENDER)).toBeNull()
  })

  test('are those of the base until the history that follows it has others', () => {
    const next = new History(historyOf(signed(`${A}`, nonce(7))))
    expect(next.lastOf(SENDER)).toMatchObject({ subjects: [A] })
    next.apply({ at: 0, wallets: [], slots: [signed(`${B}`, nonce(8))] })
    expect(next.lastOf(SENDER)).toMatchObject({ subjects: [B] })
  })
})
