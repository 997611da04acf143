import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { Bug } from '../base/assert.ts'
import { Outage, Refusal } from '../base/fault.ts'
import { isAnswer, isConflict, toFault } from './outage.ts'

function databaseError(code: string, severity = 'ERROR'): DatabaseError {
  return Object.assign(new DatabaseError('said so', 1, 'error'), { code, severity })
}

function socketError(code: string): Error {
  return Object.assign(new Error(`connect ${code}`), { code })
}

test.each([
  ['the disk is full', '53100'],
  ['too many connections', '53300'],
  ['the server shuts down', '57P01'],
  ['the server starts', '57P03'],
  ['the server is read-only', '25006'],
  ['the connection broke', '08006'],
  ['a step was silent for too long', '25P03'],
  ['the password is wrong', '28P01'],
  ['the database is gone', '3D000'],
])('O05 %s: an outage that keeps its cause', (_what, code) => {
  const cause = databaseError(code)
  const fault = toFault(cause)
  expect(fault).toBeInstanceOf(Outage)
  expect(fault).toMatchObject({ what: 'database', cause })
})

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE'])(
  'O05 a socket that says %s: an outage',
  (code) => expect(toFault(socketError(code))).toBeInstanceOf(Outage),
)

test('two addresses that both refuse are one message [O05]', () => {
  const refused = ['::1', '127.0.0.1'].map((at) => new Error(`connect ECONNREFUSED ${at}`))
  const both = Object.assign(new AggregateError(refused), { code: 'ECONNREFUSED' })
  expect(toFault(both)).toMatchObject({
    message: 'database: connect ECONNREFUSED ::1; connect ECONNREFUSED 127.0.0.1',
  })
})

test.each([
  ['a broken rule of a table', databaseError('23514')],
  ['a row of another organization', databaseError('42501')],
  ['a statement that does not parse', databaseError('42601')],
  ['a mistake in the code', new TypeError('undefined is not a function')],
  ['a bug', new Bug('cannot be')],
  ['a refusal', new Refusal('INVALID_AMOUNT')],
])('%s is never mistaken for an outage', (_what, error) => {
  expect(toFault(error)).toBe(error)
})

test('only a serialization conflict or a deadlock is retried [O05]', () => {
  expect(isConflict(databaseError('40001'))).toBe(true)
  expect(isConflict(databaseError('40P01'))).toBe(true)
  expect(isConflict(databaseError('23505'))).toBe(false)
  expect(isConflict(socketError('ECONNRESET'))).toBe(false)
})

test('only an error of the database proves that a commit failed [W24]', () => {
  expect(isAnswer(databaseError('23503'))).toBe(true)
  expect(isAnswer(databaseError('57P01', 'FATAL'))).toBe(false)
  expect(isAnswer(new Error('Connection terminated unexpectedly'))).toBe(false)
})
