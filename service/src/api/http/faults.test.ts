import { ERRORS, type ErrorCode, messageOf } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { Bug } from '../../base/assert.ts'
import { Outage, Refusal } from '../../base/fault.ts'
import { BadSession } from '../../orgs/caller.ts'
import { badRequest, toFault } from './faults.ts'

const requestId = 'r1'
const told = (error: unknown, failure?: ErrorCode) =>
  toFault(error, { requestId, ...(failure === undefined ? {} : { failure }) })

const CODES = Object.entries(ERRORS).flatMap(([code, entry]) =>
  isCode(code) ? [{ code, status: entry[0], message: messageOf(entry) }] : [],
)

describe('an error', () => {
  test.each(CODES)('$code has its status and message [S17]', ({ code, status, message }) => {
    const { body, ...fault } = told(new Refusal(code, { a: 1 }))
    expect(fault.status).toBe(status)
    const details = { a: 1, requestId, docUrl: `/docs/errors#${code}` }
    expect(body).toEqual({ error: code, message, statusCode: status, details })
  })

  test('has only statuses of the API [S17]', () => {
    const statuses = new Set(CODES.map(({ code }) => told(new Refusal(code)).status))
    const documented = [400, 401, 403, 404, 422, 429, 500, 503]
    expect([...statuses].filter((status) => !documented.includes(status))).toEqual([])
  })

  test('a refusal may have its own message', () => {
    const { body } = told(badRequest('limit', 'limit must be a number.', { most: 500 }))
    expect(body).toEqual({
      error: 'BAD_REQUEST',
      message: 'limit must be a number.',
      statusCode: 400,
      details: { field: 'limit', most: 500, requestId, docUrl: '/docs/errors#BAD_REQUEST' },
    })
  })

  test('details cannot replace the request id', () => {
    const { body } = told(new Refusal('NOT_FOUND', { requestId: 'x', docUrl: 'x' }))
    expect(body.details).toEqual({ requestId, docUrl: '/docs/errors#NOT_FOUND' })
  })

  test('INVALID_TOKEN is a 422 for a token id and a 401 for an access token', () => {
    expect(told(new Refusal('INVALID_TOKEN')).body.statusCode).toBe(422)
    const { status, body } = told(new BadSession())
    expect([status, body.statusCode, body.error]).toEqual([401, 401, 'INVALID_TOKEN'])
    expect(body.message).toMatch(/access token/)
  })

  test('an outage is a 503 with Retry-After and without the cause', () => {
    const outage = new Outage('database', 'password of admin@10.0.0.5 refused', {})
    const { status, headers, body, level } = told(outage)
    expect([status, headers['retry-after'], level]).toEqual([503, '5', 'warn'])
    expect(JSON.stringify(body)).not.toMatch(/admin|10\.0|password/)
    const late = new Outage('node', 'busy', { retryAfterMs: 1_500 })
    expect(told(late).headers['retry-after']).toBe('2')
    expect(told(new Refusal('SERVICE_UNAVAILABLE')).headers['retry-after']).toBe('5')
  })

  const SECRETS = ['postgres://u:p@h/db', 'select * from accounts', 'https://node/v3/KEY', 'xprv9s']
  test.each([
    ['a bug', (text: string) => new Bug(text, { text })],
    ['an error of a library', (text: string) => new TypeError(text)],
    ['an error with a cause', (text: string) => new Error('x', { cause: text })],
    [
      'an error with a server status',
      (text: string) => Object.assign(new Error(text), { statusCode: 502 }),
    ],
    ['a text', (text: string) => text],
    ['nothing', () => undefined],
  ])('%s is a 500 without internal details [S17]', (_name, make) => {
    for (const secret of SECRETS) {
      const { status, body, level } = told(make(secret))
      expect([status, body.error, level]).toEqual([500, 'INTERNAL_ERROR', 'error'])
      expect(body).toEqual({
        error: 'INTERNAL_ERROR',
        message: messageOf(ERRORS.INTERNAL_ERROR),
        statusCode: 500,
        details: { requestId, docUrl: '/docs/errors#INTERNAL_ERROR' },
      })
    }
  })

  test('a route may set the code of its failures', () => {
    const { status, body } = told(new Bug('x'), 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT')
    expect([status, body.error]).toEqual([500, 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT'])
    expect(told(new Refusal('NOT_FOUND'), 'FAILED_TO_CREATE_DEPOSIT_ACCOUNT').status).toBe(404)
  })

  test.each([413, 414, 415, 400, 431])(
    'a refusal of the framework with %i is a 400',
    (statusCode) => {
      const error = Object.assign(new Error('internal words'), { statusCode, code: 'FST_X' })
      const { status, body, level } = told(error)
      expect([status, body.error, level]).toEqual([400, 'BAD_REQUEST', 'silent'])
      expect(body.message).not.toMatch(/internal/)
    },
  )
})

function isCode(text: string): text is ErrorCode {
  return text in ERRORS
}
