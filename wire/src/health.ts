import { Type } from 'typebox'
import type { Operation } from './define.ts'
import { SEPOLIA } from './examples.ts'
import { text } from './fields.ts'

/** Decisions, section 12. */
export const Health = Type.Object({ status: text('`ok`: the process answers.') })
export const Readiness = Type.Object(
  {
    status: text('`ready`, `degraded` (a chain lags) or `unavailable`.'),
    checks: Type.Record(Type.String(), Type.String(), { description: 'The result by check.' }),
  },
  { additionalProperties: true },
)

export const HEALTH_OPERATIONS = {
  getHealth: {
    method: 'GET',
    path: '/healthz',
    tag: 'Health',
    summary: 'Reports that the process is alive',
    description: 'Also available with HEAD.',
    credential: 'none',
    permission: 'none',
    ignoresQuery: true,
    responses: { 200: Health },
    errors: [],
    example: { answers: { 200: { status: 'ok' } } },
  },
  getReadiness: {
    method: 'GET',
    path: '/readyz',
    tag: 'Health',
    summary: 'Reports whether the service can do its work',
    description:
      '503 without the database, its schema or the keys. The status is `degraded`, with 200, if ' +
      'a chain lags. Also available with HEAD.',
    credential: 'none',
    permission: 'none',
    ignoresQuery: true,
    responses: { 200: Readiness, 503: Readiness },
    errors: [],
    example: {
      answers: {
        200: { status: 'ready', checks: { database: 'ok', [SEPOLIA]: 'ok' } },
        503: { status: 'unavailable', checks: { database: 'away' } },
      },
    },
  },
} as const satisfies Record<string, Operation>
