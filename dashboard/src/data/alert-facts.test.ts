import { expect, test } from 'vitest'
import { ALERT_CODES, alertDocs, messageParts, subjectOf } from './alert-facts.ts'

test('the page of a subject', () => {
  expect(subjectOf({ code: 'withdrawal.waiting', subject: 'w1' })).toEqual({
    about: 'withdrawal',
    value: 'w1',
    href: '/withdrawals/w1',
  })
  expect(subjectOf({ code: 'gas.low', subject: 'eip155:97 org-1' })).toEqual({
    about: 'gasStation',
    value: 'eip155:97',
    href: '/gas-station',
  })
  const refused = subjectOf({ code: 'sweep.refused', subject: 'eip155:1/erc20:0xaa' })
  expect(refused.href).toBe('/tokens?q=eip155%3A1%2Ferc20%3A0xaa')
  expect(subjectOf({ code: 'spend.stuck', subject: 's1' })).toEqual({
    about: 'other',
    value: 's1',
    href: null,
  })
})

test('each code has a page of the documentation', () => {
  expect(alertDocs('gas.low')).toBe('runbooks/gas-empty')
  expect(alertDocs('toString')).toBe('operations')
  expect(ALERT_CODES.map(alertDocs).every((page) => /^(runbooks\/)?[a-z-]+$/.test(page))).toBe(true)
})

test('commands in a message', () => {
  expect(messageParts('Run `sluice gas list` first.')).toEqual([
    'Run ',
    'sluice gas list',
    ' first.',
  ])
})
