import { OPERATIONS } from '@sluice/wire'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../../base/fault.ts'
import { openCatalogue } from '../../catalogue/find.ts'
import { checkPart, checkRequired, convertPart } from './validate.ts'

const catalogue = openCatalogue({ chains: [], tokens: [] })
const { getChains, getDepositAddress, getPayments, getWithdrawals, postEventsRedeliver } =
  OPERATIONS

function convert(schema: Parameters<typeof convertPart>[0], query: Record<string, string>) {
  return convertPart(schema, query, { catalogue, isQuery: true })
}

function refusalOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, ...error.details, says: error.says }
    throw error
  }
}

describe('validation of a query', () => {
  test('converts texts to the types and formats of the fields', () => {
    const query = {
      userId: 'u 1',
      chainId: 'eip155:1',
      status: 'Held',
      txnHash: `0X${'A'.repeat(64)}`,
      from: '2026-01-31',
      limit: '7',
      cursor: 'abc',
    }
    expect(convert(getPayments.query, query)).toEqual({
      ...query,
      txnHash: `0x${'a'.repeat(64)}`,
      from: Date.UTC(2026, 0, 31),
      limit: 7,
    })
    expect(convert(getWithdrawals.query, { status: 'Pending,Failed,Pending' })).toEqual({
      status: ['Pending', 'Failed'],
    })
    expect(convert(getChains.query, { enabledOnly: 'false' })).toEqual({ enabledOnly: false })
  })

  test.each(['0', '-1', '-0', '501', '1.5', '1e2', '', ' 1', '01', '0x1', 'all', '9'.repeat(400)])(
    'refuses %j as a limit [V06]',
    (limit) => {
      expect(refusalOf(() => convert(getPayments.query, { limit }))).toMatchObject({
        code: 'BAD_REQUEST',
        field: 'limit',
      })
    },
  )

  test.each(['', 'maybe', 'TRUE', 'True', '1', '0', 'yes', 'null', 'true '])(
    'refuses %j as a boolean [V06]',
    (enabledOnly) => {
      expect(refusalOf(() => convert(getChains.query, { enabledOnly }))).toEqual({
        code: 'BAD_REQUEST',
        field: 'enabledOnly',
        says: '`enabledOnly` must be of type boolean.',
      })
    },
  )

  test.each(['', 'Foo', 'detected', 'CONFIRMED', 'Pending', 'constructor'])(
    'refuses %j as the status of a deposit [V06]',
    (status) => {
      expect(refusalOf(() => convert(getPayments.query, { status }))).toMatchObject({
        code: 'BAD_REQUEST',
        field: 'status',
      })
    },
  )

  test('refuses the first wrong field, in the order of the definition', () => {
    const wrong = { limit: '0', userId: ' ', status: 'Foo' }
    expect(refusalOf(() => convert(getPayments.query, wrong))).toMatchObject({
      code: 'INVALID_USER_ID',
    })
  })

  test('refuses a query without a required parameter', () => {
    const query = { chainId: 'eip155:1', userId: 'u' }
    expect(refusalOf(() => checkRequired(getDepositAddress.query, query))).toEqual({
      code: 'BAD_REQUEST',
      field: 'tokenId',
      says: '`tokenId` is missing.',
    })
  })
})

describe('validation of a body', () => {
  test.each([
    [{}, 'body', 'The body needs at least one field.'],
    [{ after: 0, all: 1 }, 'body', 'The body has unknown fields: all.'],
    [{ after: '0' }, 'after', '`after` must be of type integer.'],
    [{ after: -1 }, 'after', '`after` must be >= 0.'],
    [{ type: 1 }, 'type', '`type` must be of type string.'],
    [{ type: 'x' }, 'type', '`type` must be one of'],
    [[], 'body', 'The body must be of type object.'],
    [undefined, 'body', 'The body must be of type object.'],
  ])('refuses %j, naming %s', (body, field, says) => {
    const refusal = refusalOf(() => checkPart(postEventsRedeliver.body, body, 'body'))
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', field })
    expect(refusal).toMatchObject({ says: expect.stringContaining(says) })
  })
})
